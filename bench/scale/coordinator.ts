/** `coordinator.ts URL SUITE EPISODES FOLDER`: plays a run on a queue and prints what that cost this process. */
import { randomBytes } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { planRun } from '../../src/engine/plan.ts'
import { parseQueueAddress } from '../../src/engine/queue/address.ts'
import { clusterRunner } from '../../src/engine/queue/cluster.ts'
import { startRun } from '../../src/engine/run.ts'
import { Prices } from '../../src/models/prices.ts'
import { Store } from '../../src/store/store.ts'
import { loadSuite } from './suites.ts'

const [url, suiteName, episodes, folder] = process.argv.slice(2)
const suite = await loadSuite(suiteName!)
const store = await Store.open(folder!)
const plan = await planRun({
  suite,
  models: { player: 'baseline/random' },
  source: `builtin:samples=${episodes}`,
})
const delay = monitorEventLoopDelay({ resolution: 5 })
/** The first episodes pay for starting: connections, code that is not compiled yet. */
const WARM_UP = Math.min(100, Math.floor(Number(episodes) / 4))
const SETTLE_MS = 3000
const COUNTED_ALONE = 200
const TOGETHER = 16
let warm = { cpu: process.cpuUsage(), at: performance.now(), finished: 0 }
let isWarm = false
/** What waiting costs: messages are looked for many times per second, whether there are any or not. */
let idle = 0
const result = await startRun(
  plan,
  {
    store,
    openModel: () => Promise.reject(new Error('only baselines are measured')),
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
    onStart: () => void waitAlone(),
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
const peak = process.resourceUsage().maxRSS / 1024
const storeMs = await storeAlone()
const counted = result.progress.finished - warm.finished
const seconds = (performance.now() - warm.at) / 1000
console.log(
  JSON.stringify({
    state: result.state,
    cpuMsPerEpisode: (cpu.user + cpu.system) / 1000 / counted,
    idleMsASecond: idle,
    waitingMsAnEpisode: (idle * seconds) / counted,
    storeMsAnEpisode: storeMs,
    episodesASecond: counted / seconds,
    episodesACpuSecond: counted / ((cpu.user + cpu.system) / 1e6),
    peakMegabytes: peak,
    loopDelayMs: delay.percentile(99) / 1e6,
  }),
)

/** Before there is any worker. */
async function waitAlone(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const before = process.cpuUsage()
  const at = performance.now()
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const { user, system } = process.cpuUsage(before)
  idle = (user + system) / (performance.now() - at)
  console.log('alone')
}

/** What the same episodes and as many new pictures cost when they are only stored: a run without a queue pays that too. */
async function storeAlone(): Promise<number> {
  const reader = await store.openRun(result.id)
  const lines = (await reader.episodes()).slice(0, COUNTED_ALONE)
  const episodes = await Promise.all(
    lines.map(async (line) => {
      const events = (await reader.events(line)) as { type: string; bytes?: number }[]
      const sizes = events.flatMap((event) => (event.type === 'media' ? [Number(event.bytes)] : []))
      return {
        line,
        events: events.map((event) => JSON.stringify(event)),
        pictures: sizes.map((size) => randomBytes(size)),
      }
    }),
  )
  const writer = await store.createRun({ ...reader.header, id: `${result.id}-alone` })
  const before = process.cpuUsage()
  for (let i = 0; i < episodes.length; i += TOGETHER) {
    await Promise.all(
      episodes.slice(i, i + TOGETHER).map(async ({ line, events, pictures }) => {
        for (const picture of pictures) await store.media.keep(picture, 'image/png')
        await writer.append(line, events)
      }),
    )
  }
  const { user, system } = process.cpuUsage(before)
  await writer.close()
  return (user + system) / 1000 / episodes.length
}
