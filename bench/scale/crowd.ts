/**
 * `crowd.ts URL WORKERS FOLDER`: so many synthetic workers in one process. They take jobs, offer and send media, post
 * messages and say every second that they are there, each as a real one does; only the playing is a pause.
 */
import { randomBytes } from 'node:crypto'
import { sha256 } from '../../src/base/hash.ts'
import { NO_USAGE } from '../../src/models/types.ts'
import { parseQueueAddress } from '../../src/engine/queue/address.ts'
import { startJobWorker } from '../../src/engine/queue/jobs.ts'
import { MediaSender } from '../../src/engine/queue/media-sender.ts'
import { readHeartbeat, packWorkerHeartbeat } from '../../src/engine/queue/heartbeat.ts'
import { openQueue } from '../../src/engine/queue/open.ts'
import { Outbox } from '../../src/engine/queue/outbox.ts'
import { Seal } from '../../src/engine/queue/seal.ts'
import { Store } from '../../src/store/store.ts'

const [url, count, folder] = process.argv.slice(2)
const WORKERS = Number(count)
/** Model calls of an episode, each of which is paid for. */
const CALLS = 4
const PICTURE_BYTES = 20_000
const NOTES = Array.from({ length: 40 }, (_, i) => JSON.stringify({ type: 'thought', i, words: 'words '.repeat(80) }))
const CONNECTIONS = 16

const queue = await openQueue(parseQueueAddress(url!, {}))
const store = await Store.open(folder!)
const never = new AbortController().signal
const joined = new Set<string>()

async function join(run: string, leaseMs: number, quota: number): Promise<void> {
  // Real workers have a connection each; here some share one, so that this process is not what is measured.
  for (let connection = 0; connection < CONNECTIONS; connection++) {
    const outbox = new Outbox(queue.shared, run, new Seal('', run))
    const sender = new MediaSender({
      run,
      shared: queue.shared,
      outbox,
      quota: () => quota,
      isCoordinated: () => true,
      pathOf: (hash) => store.media.pathOf(hash),
      signal: never,
    })
    await startJobWorker(queue, {
      run,
      slots: Math.max(1, Math.ceil(WORKERS / CONNECTIONS)),
      leaseMs,
      seal: new Seal('', run),
      name: `crowd-${connection}`,
      onError: () => undefined,
      play: async ({ id, episodes }, done) => {
        for (const [i, { index, epoch, sample }] of episodes.entries()) {
          const ref = await store.media.keep(randomBytes(PICTURE_BYTES), 'image/png')
          const usage = { ...NO_USAGE, calls: 1, inputTokens: 1000, outputTokens: 100, usd: 0.001 }
          for (let call = 0; call < CALLS; call++) outbox.write({ type: 'paid', usage })
          await sender.deliver(ref)
          const line = {
            index,
            sample: sample.id,
            epoch,
            cluster: sample.cluster,
            labels: sample.labels,
            status: 'answered' as const,
            scores: { correct: 1 },
            usage: { ...usage, calls: CALLS },
            ms: 1,
          }
          const media = [ref.sha256]
          outbox.write(
            {
              type: 'finished',
              worker: `crowd-${connection}`,
              job: id,
              line,
              fatal: false,
              media,
              calls: 0,
              cachedCalls: 0,
              replies: [],
            },
            NOTES,
          )
          await outbox.flush()
          await done(episodes.slice(i + 1))
        }
      },
    })
  }
}

async function beat(): Promise<void> {
  for (const [run, body] of await queue.shared.list('run')) {
    const heartbeat = readHeartbeat(body, new Seal('', run))
    if (!heartbeat || joined.has(run)) continue
    joined.add(run)
    await join(run, heartbeat.leaseMs, heartbeat.mediaQuota)
  }
  const started = new Date().toISOString()
  const runs = Object.fromEntries([...joined].map((run) => [run, 1]))
  const heartbeat = { host: 'crowd', pid: 1, version: 'bench', slots: 1, threads: 1, refused: {}, runs, started }
  const body = packWorkerHeartbeat(heartbeat, '')
  for (let worker = 0; worker < WORKERS; worker += 50) {
    const some = Array.from({ length: Math.min(50, WORKERS - worker) }, (_, i) => worker + i)
    const names = some.map((number) => `crowd/${sha256(String(number)).slice(0, 12)}`)
    await queue.shared.set('worker', new Map(names.map((name) => [name, body])), 5000)
  }
}

console.log('ready')
for (;;) {
  await beat()
  await new Promise((resolve) => setTimeout(resolve, 1000))
}
