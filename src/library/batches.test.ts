import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { replyBody } from '../../test/support/models/dialects.ts'
import { BatchServer } from '../../test/support/models/batches/server.ts'
import { Store } from '../store/store.ts'
import { defineSuite, type Played, type SampleBase, z } from '../suite.ts'
import { batchRequests, importBatchResults } from './batch-files.ts'
import { prepareRun, resume, run, type RunOptions } from './run.ts'

let folder: string
let server: BatchServer
let origin: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-batches-'))
  server = new BatchServer({ looks: 0 })
  origin = await server.listen()
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const SAMPLES = 12

/** Asks each question twice, and the last sample the question of the first. */
const doubts = defineSuite({
  name: 'doubts',
  version: 1,
  options: z.object({ turns: z.int().default(1) }),
  metrics: { correct: { title: 'Correct', better: 'higher', unit: 'percent', failed: 'zero' } },
  prompts: () => ({}),
  samples: Array.from({ length: SAMPLES }, (_, i) => ({
    id: String(i),
    cluster: String(i),
    labels: {},
  })) as SampleBase[],
  estimate: (_, { turns }) => ({ calls: turns, inputTokens: 10, outputTokens: 20 }),
  async play(sample, episode, { turns }): Promise<Played<string>> {
    let text = ''
    const question = Number(sample.id) % (SAMPLES - 1)
    for (let turn = 0; turn < turns; turn++) {
      const earlier = turn === 0 ? [] : [{ role: 'assistant' as const, content: text }]
      const messages = [{ role: 'user' as const, content: `Question ${question}` }, ...earlier]
      text = (await episode.ask('player', [...messages, { role: 'user', content: `Turn ${turn}` }], {})).text
    }
    return { status: 'answered', outcome: text }
  },
  summary: (means) => ({
    headline: 'correct',
    rows: [
      {
        key: 'correct',
        title: 'Correct',
        unit: 'percent',
        better: 'higher',
        value: means.mean('correct'),
        n: means.count('correct'),
      },
    ],
  }),
  score: (_, outcome) => ({ correct: outcome === 'A' ? 1 : 0 }),
})

const options = (more: Partial<RunOptions> = {}): RunOptions => ({
  model: 'vllm/qwen',
  store: folder,
  suites: [doubts],
  threads: 0,
  modelOptions: { base_url: `${origin}/v1`, batch: 'provider' },
  ...more,
})

it('plays a suite of several turns turn by turn, and asks the same question once', async () => {
  const { state, progress } = await run(doubts, options({ options: { turns: 3 } }))
  expect([state, progress.finished]).toEqual(['done', SAMPLES])
  expect(server.batches.map(({ keys }) => keys.length)).toEqual([11, 11, 11])
  expect([...server.paid.values()].every((times) => times === 1)).toBe(true)
})

it('counts requests against the budget before they are answered', async () => {
  // A request has about 5 tokens, its reply 20.
  const first = await run(doubts, options({ budget: '100-tokens' }))
  expect([first.state, first.cause]).toEqual(['interrupted', 'budget'])
  expect(server.batches.map(({ keys }) => keys.length)).toEqual([5])
  // The last sample asks what the first asks.
  expect(first.progress.finished).toBeGreaterThanOrEqual(5)
  const again = await resume(first.id, { store: folder, suites: [doubts], budget: '1m-tokens', allowBaseUrl: [origin] })
  expect([again.state, again.progress.finished]).toEqual(['done', SAMPLES])
  expect([...server.paid.values()].every((times) => times === 1)).toBe(true)
})

it('writes requests for others to send, and takes their results', async () => {
  const stopped = await run(doubts, options({ modelOptions: { base_url: `${origin}/v1`, batch: true } }))
  expect(stopped.state).toBe('interrupted')
  expect(stopped.reason).toBe(`11 requests must be sent by you: sightline export ${stopped.id} --to batch-jsonl`)
  const store = await Store.open(folder)
  const [file] = await batchRequests(store, stopped.id)
  let lines = ''
  for await (const chunk of file!.chunks) lines += chunk
  const requests = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { custom_id: string; url: string; body: object })
  expect(requests[0]).toMatchObject({ method: 'POST', url: '/v1/chat/completions', body: { model: 'qwen' } })
  // As vLLM writes it.
  const results = requests.map(({ custom_id }, i) => ({
    id: `vllm-${i}`,
    custom_id,
    response:
      i === 0
        ? null
        : { status_code: 200, request_id: `vllm-batch-${i}`, body: replyBody('openai-chat', { text: 'A' }) },
    error: i === 0 ? { message: 'out of memory' } : null,
  }))
  const path = join(folder, 'results.jsonl')
  await writeFile(path, `${results.map((each) => JSON.stringify(each)).join('\n')}\nnot a result\n`)
  expect(await importBatchResults(store, path)).toEqual({ answered: 10, failed: 1, unknown: 1, runs: [stopped.id] })
  const again = await resume(stopped.id, { store: folder, suites: [doubts], allowBaseUrl: [origin] })
  expect(again.progress.finished).toBe(10)
  expect(again.reason).toMatch('1 request must be sent by you')
  await writeFile(path, '{}\n')
  await expect(importBatchResults(store, path)).rejects.toThrow('has no results of a batch')
  expect(server.batches.length + server.direct).toBe(0)
})

it('estimates half the price, and is not for workers', async () => {
  await writeFile(join(folder, 'prices.json'), '{"models":{"vllm/qwen":{"input":100,"output":0}}}')
  const prepared = await prepareRun(doubts, options())
  expect((await prepared.estimate()).usd).toBeCloseTo((SAMPLES * 10 * 50) / 1e6)
  await prepared.cancel()
  await expect(run(doubts, options({ queue: 'redis://127.0.0.1:1/0' }))).rejects.toThrow('Workers cannot send batches')
})
