/** `coordinator.ts URL SUITE EPISODES FOLDER`: plays a run on a queue and prints what that cost this process. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { planRun } from '../../src/engine/plan.ts'
import { parseQueueAddress } from '../../src/engine/queue/address.ts'
import { clusterRunner } from '../../src/engine/queue/cluster.ts'
import { startRun } from '../../src/engine/run.ts'
import { Prices } from '../../src/models/prices.ts'
import { Store } from '../../src/store/store.ts'
import { findSuite } from './suites.ts'

const [url, suiteName, episodes, folder] = process.argv.slice(2)
const suite = await findSuite(suiteName!)
const store = await Store.open(folder!)
const plan = await planRun({
  suite,
  models: { player: 'baseline/random' },
  source: `builtin:cases=${episodes}`,
})
const delay = monitorEventLoopDelay({ resolution: 5 })
/** The first episodes pay for starting: connections, code that is not compiled yet. */
const WARM_UP = Math.min(100, Math.floor(Number(episodes) / 4))
let warm = { cpu: process.cpuUsage(), at: performance.now(), finished: 0 }
let isWarm = false
let peak = 0
const result = await startRun(
  plan,
  {
    store,
    openModel: () => Promise.reject(new Error('only built-in players are measured')),
    prices: new Prices([]),
    versions: {},
    git: null,
    now: () => new Date(),
    makeRunner: clusterRunner(parseQueueAddress(url!, {}), store, {
      version: 'bench',
      leaseMs: 30_000,
      cache: true,
      model: { maxConnections: null, requestsPerMinute: null, tokensPerMinute: null, maxRetries: 0, timeoutMs: 60_000 },
    }),
  },
  {
    onProgress: (progress) => {
      if (isWarm) return
      const { finished } = progress()
      if (finished < WARM_UP) return
      isWarm = true
      delay.enable()
      warm = { cpu: process.cpuUsage(), at: performance.now(), finished }
    },
  },
)
const cpu = process.cpuUsage(warm.cpu)
peak = process.resourceUsage().maxRSS / 1024
const counted = result.progress.finished - warm.finished
const seconds = (performance.now() - warm.at) / 1000
console.log(
  JSON.stringify({
    state: result.state,
    cpuMsAnEpisode: (cpu.user + cpu.system) / 1000 / counted,
    episodesASecond: counted / seconds,
    episodesACpuSecond: counted / ((cpu.user + cpu.system) / 1e6),
    peakMegabytes: peak,
    loopDelayMs: delay.percentile(99) / 1e6,
  }),
)
