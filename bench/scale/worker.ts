/** `worker.ts URL SLOTS THREADS FOLDER`: a worker for the suites of this benchmark; says on SIGTERM how free its loop was. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { moduleBeside } from '../../src/base/thread.ts'
import { playEpisode } from '../../src/engine/episode.ts'
import { parseQueueAddress } from '../../src/engine/queue/address.ts'
import { openQueue } from '../../src/engine/queue/open.ts'
import { ClusterWorker } from '../../src/engine/queue/worker.ts'
import { briefOf } from '../../src/engine/threads/local.ts'
import { EpisodeThreads } from '../../src/engine/threads/pool.ts'
import { Store } from '../../src/store/store.ts'
import { loadSuite } from './suites.ts'

const [url, slots, threads, folder] = process.argv.slice(2)
const queue = await openQueue(parseQueueAddress(url!, {}))
const store = await Store.open(folder!)
const suites = moduleBeside('./suites', import.meta.url)
const pool = threads === '0' ? null : new EpisodeThreads({ suites, store: store.dir }, Number(threads))
const delay = monitorEventLoopDelay({ resolution: 5 })
let busy = false
const worker = new ClusterWorker(
  {
    queue,
    store,
    slots: Number(slots),
    name: `bench/${process.pid}`,
    version: 'bench',
    findSuite: async ({ suite }) => ({ suite: await loadSuite(suite), hash: null, loadFrom: null }),
    openModel: () => Promise.reject(new Error('only baselines are measured')),
    sources: {},
    playIn: (header) => (job, context) => {
      if (!busy) delay.enable()
      busy = true
      return pool ? pool.perform(briefOf(header), job, context) : playEpisode(job, context)
    },
    note: () => undefined,
  },
  Number(threads),
)
worker.start()
console.log('ready')
process.once('SIGTERM', () => {
  console.log(JSON.stringify({ loopDelayMs: delay.percentile(99) / 1e6 }))
  process.exit(0)
})
