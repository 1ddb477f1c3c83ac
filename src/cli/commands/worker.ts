/** `sightline worker`: plays episodes of runs that were started elsewhere. */
import { availableParallelism, hostname } from 'node:os'
import { UserError } from '../../base/errors.ts'
import { playEpisode } from '../../engine/episode.ts'
import { parseQueueAddress } from '../../engine/queue/address.ts'
import { openQueue } from '../../engine/queue/open.ts'
import { ClusterWorker } from '../../engine/queue/worker.ts'
import { briefOf } from '../../engine/threads/local.ts'
import { EpisodeThreads } from '../../engine/threads/pool.ts'
import { openModel } from '../../models/providers/open.ts'
import { Store } from '../../store/store.ts'
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
  logDir: string
}

/** Episodes wait for models most of the time. */
const SLOTS_A_CORE = 4
const GRACE_SECONDS = 20

export async function worker(options: WorkerOptions): Promise<void> {
  const env = environment()
  // What makes videos is this machine's own: a command never comes from elsewhere.
  const { generators = {}, suites = [] } = await loadSettings(undefined)
  const finder = suiteFinder([...(options.suite ?? []), ...suites])
  const queue = await openQueue(parseQueueAddress(options.queue, env))
  const store = await Store.open(options.logDir)
  const threads = options.threads ?? availableParallelism()
  const slots = options.slots ?? SLOTS_A_CORE * availableParallelism()
  const pool = threads > 0 ? new EpisodeThreads({ suites: SUITES, store: store.dir }, threads) : null
  const note = (words: string): void => say(`${new Date().toISOString()} ${queue.address.redact(words)}`)
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
      playIn: (header, roots, loadFrom) =>
        pool ? (job, context) => pool.perform(briefOf(header, roots, loadFrom), job, context) : playEpisode,
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
          ...how,
          ...(maxConnections === null ? {} : { maxConnections }),
        }),
    },
    threads,
  )
  note(`Worker of Sightline ${packageVersion()} on ${queue.address.shown}: ${slots} slots, ${threads} threads.`)
  member.start()
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        note('Stopping: what is under way may end, the rest goes back to the others. Once more stops at once.')
        process.once(signal, () => process.exit(1))
        resolve()
      })
    }
  })
  await member.stop((options.grace ?? GRACE_SECONDS) * 1000)
  await pool?.close()
  await queue.close()
}

/** `vsi-bench:/data/vsi` on this machine, wherever it is on the others. */
function sourcesOf(said: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    said.map((text) => {
      const colon = text.indexOf(':')
      if (colon < 1) throw new UserError(`--source must be name:where, as in vsi-bench:/data/vsi, not "${text}".`)
      return [text.slice(0, colon), text.slice(colon + 1)]
    }),
  )
}
