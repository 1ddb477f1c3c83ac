/**
 * One measurement in a process of its own, so that peak memory is its own too: `measure.ts bare|engine EPISODES`.
 * Prints CPU seconds and peak memory as JSON.
 */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { compass } from '../../test/support/compass.ts'
import { openSource } from '../../src/engine/source.ts'
import { planRun } from '../../src/engine/plan.ts'
import { startRun } from '../../src/engine/run.ts'
import { Prices } from '../../src/models/prices.ts'
import { Store } from '../../src/store/store.ts'
import { cpuSeconds, peakMegabytes } from '../harness.ts'

const AT_ONCE = 16
const [mode, count] = [process.argv[2], Number(process.argv[3])]
const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-'))
const seconds = await cpuSeconds(mode === 'bare' ? bareLoop : wholeEngine)
await rm(folder, { recursive: true })
console.log(JSON.stringify({ cpuSeconds: seconds, peakMegabytes: peakMegabytes() }))

async function wholeEngine(): Promise<void> {
  const plan = await planRun({
    suite: compass,
    models: { player: 'baseline/oracle' },
    source: `builtin:samples=${count}`,
  })
  await startRun(plan, {
    store: await Store.open(folder),
    openModel: () => Promise.reject(new Error('no model is needed')),
    prices: new Prices([]),
    versions: {},
    git: null,
    now: () => new Date(),
  })
}

/** What anyone would write by hand: the same cases, the same answers, the same lines in two files; no more. */
async function bareLoop(): Promise<void> {
  const source = await openSource(compass, `builtin:samples=${count}`, { turns: 3 }, { seed: 0, profile: 'exact' })
  const events = createWriteStream(join(folder, 'events.jsonl'))
  const episodes = createWriteStream(join(folder, 'episodes.jsonl'))
  // All workers wait for the same buffers; a warning about each would be a sixth of the loop.
  for (const stream of [events, episodes]) stream.setMaxListeners(0)
  const cases = source.samples() as Iterable<{
    id: string
    question: string
    answer: string
    labels: object
    cluster: string
  }>
  const iterator = cases[Symbol.iterator]()
  const model = async (_question: string, answer: string): Promise<string> => Promise.resolve(answer)
  let index = 0
  let offset = 0
  const usage = { calls: 1, inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedInputTokens: 0, usd: 0 }
  const worker = async (): Promise<void> => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) {
      const sample = next.value
      const at = index++
      const started = performance.now()
      const text = await model(sample.question, sample.answer)
      const log =
        `${JSON.stringify({ type: 'message', id: 0, role: 'user', content: sample.question })}\n` +
        `${JSON.stringify({ type: 'ask', ordinal: 0, role: 'player', messages: [0], sampling: {} })}\n` +
        `${JSON.stringify({ type: 'reply', ordinal: 0, role: 'player', text, finish: 'stop', usage, ms: 0, cached: false })}\n` +
        `${JSON.stringify({ type: 'outcome', status: 'answered', outcome: { answer: text } })}\n`
      if (!events.write(log)) await once(events, 'drain')
      const line = {
        index: at,
        case: sample.id,
        epoch: 1,
        cluster: sample.cluster,
        labels: sample.labels,
        status: 'answered',
        scores: { correct: text === sample.answer ? 1 : 0 },
        usage,
        ms: Math.round(performance.now() - started),
        events: [offset, log.length],
      }
      offset += log.length
      if (!episodes.write(`${JSON.stringify(line)}\n`)) await once(episodes, 'drain')
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  events.end()
  episodes.end()
  await Promise.all([once(events, 'finish'), once(episodes, 'finish')])
}
