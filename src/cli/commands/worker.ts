/** `sightline worker`: plays episodes of runs started on other machines. */
import { availableParallelism, hostname } from 'node:os'
import { UserError } from '../../base/errors.ts'
import { playEpisode } from '../../engine/episode.ts'
import { parseQueueAddress } from '../../engine/queue/address.ts'
import { describeTrouble } from '../../engine/queue/health.ts'
import { openQueue } from '../../engine/queue/open.ts'
import { ClusterWorker } from '../../engine/queue/worker.ts'
import { threadRunOf } from '../../engine/threads/local.ts'
import { EpisodeThreads } from '../../engine/threads/pool.ts'
import { type Destinations, parseBaseUrls } from '../../models/destinations.ts'
import { openModel } from '../../models/providers/open.ts'
import { Store } from '../../store/store.ts'
import { plural } from '../../base/plural.ts'
import { STOP_SIGNALS } from '../terminal/exit.ts'
import { say } from '../terminal/output.ts'
import { environment, loadSettings } from '../../library/config.ts'
import { optionsFor, packageVersion, SUITES } from '../../library/environment.ts'
import { suiteFinder } from '../../library/suites.ts'

export interface WorkerOptions {
  queue: string
  slots?: number
  threads?: number
  source?: string[]
  grace?: number
  suite?: string[]
  allowBaseUrl?: string[]
  logDir: string
}

/** More than one, as episodes mostly wait for models. */
const SLOTS_PER_CORE = 4
const GRACE_SECONDS = 20

export async function worker(options: WorkerOptions): Promise<void> {
  const env = environment()
  // Generators come from this machine's config: a worker never runs a command that it was sent.
  const { generators = {}, suites = [] } = await loadSettings(undefined)
  const finder = suiteFinder([...(options.suite ?? []), ...suites])
  const address = parseQueueAddress(options.queue, env)
  const destinations: Destinations = {
    allowed: parseBaseUrls(options.allowBaseUrl ?? []),
    thisMachine: false,
    variables: [],
    variableHint: 'Workers send variables whose name starts with SIGHTLINE_HEADER_.',
    hint: 'Start the worker with --allow-base-url URL, or with the base URL in its environment, if you trust that address with its keys.',
  }
  const note = (message: string): void => say(`${new Date().toISOString()} ${address.redact(message)}`)
  const queue = await openQueue(address, {
    patienceMs: Infinity,
    onChange: (trouble) => note(describeTrouble(trouble)),
  })
  const store = await Store.open(options.logDir)
  const threads = options.threads ?? availableParallelism()
  const slots = options.slots ?? SLOTS_PER_CORE * availableParallelism()
  const pool = threads > 0 ? new EpisodeThreads({ suites: SUITES, store: store.dir }, threads) : null
  const member = new ClusterWorker(
    {
      queue,
      store,
      slots,
      name: `${hostname()}/${process.pid}`,
      version: packageVersion(),
      findSuite: async (header) => {
        const { suite, module, loadFrom } = await finder.named(header)
        return { suite, hash: module?.hash ?? null, loadFrom }
      },
      sources: sourcesOf(options.source ?? []),
      playerForRun: (header, roots, loadFrom) =>
        pool ? (job, context) => pool.play(threadRunOf(header, roots, loadFrom), job, context) : playEpisode,
      note,
      openModel: (id, role, { options: given, maxConnections, ...how }) =>
        openModel(id, {
          env,
          log: note,
          options: optionsFor(role, given),
          readMedia: (ref) => store.media.read(ref),
          storeMedia: (bytes, type) => store.media.keep(bytes, type),
          hasMedia: (ref) => store.media.has(ref),
          generators,
          destinations,
          ...how,
          ...(maxConnections === null ? {} : { maxConnections }),
        }),
    },
    threads,
  )
  note(
    `Sightline ${packageVersion()} worker on ${queue.address.shown}: ${plural(slots, 'slot')}, ${plural(threads, 'thread')}.`,
  )
  member.start()
  await new Promise<void>((resolve) => {
    for (const signal of STOP_SIGNALS) {
      process.once(signal, () => {
        note('Stopping after the running episodes; the rest returns to the queue. Press Ctrl-C again to stop now.')
        // Kernel and shell both send SIGHUP for one closed terminal.
        process.on(signal, () => signal !== 'SIGHUP' && process.exit(1))
        resolve()
      })
    }
  })
  await member.stop((options.grace ?? GRACE_SECONDS) * 1000)
  await pool?.close()
  await queue.close()
}

/** `--source vsi-bench:/data/vsi`: dataset locations on this machine. */
function sourcesOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const colon = text.indexOf(':')
      if (colon < 1) throw new UserError(`Invalid --source "${text}". Use NAME:PATH, such as vsi-bench:/data/vsi.`)
      return [text.slice(0, colon), text.slice(colon + 1)]
    }),
  )
}
