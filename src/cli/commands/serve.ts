/** `sightline serve`: suites as environments for training, until Ctrl-C. */
import { Environment } from '../../environments/environment.ts'
import { serveEnvironments } from '../../environments/server.ts'
import { packageVersion } from '../../library/environment.ts'
import { suiteFinder } from '../../library/suites.ts'
import type { Reward } from '../../training/rewards.ts'
import { type StoredOptions, storeOptions } from '../options/stored.ts'
import { bold, print, say } from '../terminal/output.ts'
import { untilStopped } from './view.ts'

interface ServeFlags extends StoredOptions {
  task?: Record<string, unknown>
  profile?: string
  source?: string
  test?: boolean
  reward?: Reward
  dense?: boolean
  port?: number
  host?: string
  maxSessions?: number
}

const LOOPBACK = '127.0.0.1'
const DEFAULT_PORT = 8000
const MAX_SESSIONS = 1000
/** Each may be sending a video, which is held whole. */
const MAX_VIDEO_SESSIONS = 100
const IDLE_MS = 10 * 60_000

export async function serve(names: readonly string[], options: ServeFlags): Promise<void> {
  const finder = suiteFinder((await storeOptions(options)).suites)
  const environments: Environment[] = []
  for (const name of names) {
    const { suite } = await finder.find(name)
    const { task, profile, source, test, reward, dense } = options
    const environment = await Environment.open({
      suite,
      profile,
      source,
      reward,
      ...(task && { options: task }),
      ...(test && { test }),
      ...(dense && { isDense: true }),
    })
    if (environment.isFixed)
      say(
        `${environment.suite.name}: ${environment.source} has fixed samples. A model that learns from them must not be tested on them.`,
      )
    for (const note of environment.instruments?.notes ?? []) say(note)
    environments.push(environment)
  }
  const getsVideos = environments.some(({ suite }) => suite.output === 'video')
  const { host = LOOPBACK, port = DEFAULT_PORT, maxSessions = getsVideos ? MAX_VIDEO_SESSIONS : MAX_SESSIONS } = options
  const token = process.env['SIGHTLINE_SERVE_TOKEN']
  const server = await serveEnvironments({
    environments,
    host,
    port,
    token,
    maxSessions,
    idleMs: IDLE_MS,
    version: packageVersion(),
    onFault: (error) => say(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  })
  for (const [i, { suite, source }] of environments.entries()) {
    print(`${bold(suite.name)} at ${server.url}${i === 0 ? '' : `/${suite.name}`} (${source})`)
  }
  if (host !== LOOPBACK && token === undefined)
    say('Anyone who can reach this address can use it. Set SIGHTLINE_SERVE_TOKEN to require a token.')
  await untilStopped(server)
}
