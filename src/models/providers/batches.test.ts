import { setMaxListeners } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Faults, BatchServer } from '../../../test/support/models/batches/server.ts'
import { openTestModel, PNG, requestFor } from '../../../test/support/models/open-test-model.ts'
import { UserError } from '../../base/errors.ts'
import { BatchFolder } from '../../store/batches.ts'
import { Store } from '../../store/store.ts'
import { Prices } from '../prices.ts'
import type { Model, ModelRequest, Reply } from '../types.ts'

const MODELS = ['openai/gpt-5', 'anthropic/claude-sonnet-4-5', 'google/gemini-2.5-flash'] as const
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function setUp(faults: Partial<Faults> = {}) {
  const server = new BatchServer(faults)
  const origin = await server.listen()
  const folder = await mkdtemp(join(tmpdir(), 'sightline-batches-'))
  const store = await Store.open(folder)
  const lines: string[] = []
  cleanups.push(
    () => rm(folder, { recursive: true, force: true }),
    () => server.close(),
  )
  const open = async (spec: string, options: Record<string, unknown> = { batch: true }): Promise<Model> => {
    const model = await openTestModel(spec, origin, {
      timesAsFast: 10_000,
      replies: store.replies,
      batches: { files: store.batches, adopts: true },
      options,
      prices: new Prices([{ [spec]: { input: 2, output: 8 } }]),
      log: (line) => lines.push(line),
    })
    cleanups.push(() => model.close())
    return model
  }
  return { server, store, folder, lines, open }
}

function askAll(model: Model, requests: readonly ModelRequest[], signal = new AbortController().signal) {
  setMaxListeners(0, signal)
  model.batches?.watch({ active: () => requests.length, run: 'run', suspend: () => {} })
  return Promise.allSettled(requests.map((request) => model.ask(request, signal)))
}

const questions = (count: number): ModelRequest[] =>
  Array.from({ length: count }, (_, i) => requestFor(`Question ${i}`))
const texts = (settled: readonly PromiseSettledResult<Reply>[]) =>
  settled.map((each) => (each.status === 'fulfilled' ? each.value.text : String(each.reason)))

describe.each(MODELS)('%s', (spec) => {
  it('answers in one batch, at half the price, and cleans up', async () => {
    const { server, folder, open } = await setUp()
    const model = await open(spec)
    const picture = { role: 'user' as const, content: [{ type: 'media' as const, media: PNG.red.ref }] }
    const replies = await askAll(model, [...questions(29), requestFor([picture])])
    expect(new Set(texts(replies))).toEqual(new Set(['A']))
    expect(server.batches.map(({ keys }) => keys.length)).toEqual([30])
    const [first] = replies
    // 100 tokens of input and 20 of output.
    expect(first?.status === 'fulfilled' && first.value.usage.usd).toBeCloseTo((100 * 2 + 20 * 8) / 2e6)
    await model.close()
    expect(await readdir(join(folder, 'batches'))).toEqual([])
    expect([...server.files.keys()].filter((file) => !/batch-/.test(file))).toEqual([])
  })

  it('goes on after an expired batch, failed requests and results that come twice', async () => {
    const { server, open } = await setUp({ expiring: 1, answeredShare: 0.5, failsOneOf: 5, repeatsOneOf: 3 })
    const model = await open(spec)
    const replies = await askAll(model, questions(60))
    expect(new Set(texts(replies))).toEqual(new Set(['A']))
    expect([...server.paid.values()].every((times) => times === 1)).toBe(true)
    expect(server.paid.size + server.direct).toBe(60)
    expect(server.batches.length).toBeGreaterThan(1)
  })

  const events = spec.startsWith('openai') ? ['uploaded', 'created', 'looked', 'results'] : ['created']
  it.each(events)('finds its batch again after an end at "%s"', async (event) => {
    const { server, open } = await setUp()
    const stop = new AbortController()
    let dies = true
    const gone = new Promise<void>((resolve) => {
      server.onEvent = (each) => {
        if (each !== event || !dies) return true
        dies = false
        resolve()
        return false
      }
    })
    const first = await open(spec)
    const asked = askAll(first, questions(12), stop.signal)
    await gone
    stop.abort(new Error('stopped'))
    await first.close()
    await asked
    const again = await askAll(await open(spec), questions(12))
    expect(new Set(texts(again))).toEqual(new Set(['A']))
    expect([...server.paid.values()]).toEqual(Array.from({ length: 12 }, () => 1))
  })

  it('creates a batch once, also if the answer to that is lost', async () => {
    const { server, open } = await setUp()
    let isLost = false
    server.onEvent = (event) => {
      const cuts = event === 'created' && !isLost
      isLost ||= cuts
      return !cuts
    }
    const replies = await askAll(await open(spec), questions(12))
    expect(new Set(texts(replies))).toEqual(new Set(['A']))
    expect(isLost).toBe(true)
    expect(server.batches.length).toBe(1)
  })
})

it('leaves a new batch that the key does not see, and sends an old one again', async () => {
  const { server, store, open } = await setUp({ looks: Infinity })
  const stop = new AbortController()
  server.onEvent = (event) => {
    if (event === 'looked') stop.abort(new Error('stopped'))
    return true
  }
  const first = await open('openai/gpt-5')
  await askAll(first, questions(12), stop.signal)
  await first.close()
  server.batches.length = 0
  server.faults.looks = 0
  const second = await open('openai/gpt-5')
  const [failed] = await askAll(second, questions(12))
  expect(texts([failed!])[0]).toMatch('Resume the run with the API key that created batch batch_')
  await second.close()
  expect(server.batches.length + server.direct).toBe(0)
  const [folder] = await store.batches.all()
  await folder!.update({ created: Date.now() - 49 * 60 * 60_000 })
  const again = await askAll(await open('openai/gpt-5'), questions(12))
  expect(new Set(texts(again))).toEqual(new Set(['A']))
})

it('finds a batch that was created by the last attempt', async () => {
  const { server, open } = await setUp()
  let attempts = 0
  server.onEvent = (event) => {
    if (event === 'uploaded') attempts += 1
    return !(event === 'uploaded' && attempts < 10) && !(event === 'created' && attempts === 10)
  }
  const replies = await askAll(await open('openai/gpt-5'), questions(12))
  expect(new Set(texts(replies))).toEqual(new Set(['A']))
  expect([attempts, server.batches.length]).toEqual([10, 1])
})

it('finds a batch whose id could not be written', async () => {
  const { server, open } = await setUp()
  const full = new UserError('The disk is full.')
  server.onEvent = (event) => {
    if (event === 'created') vi.spyOn(BatchFolder.prototype, 'update').mockRejectedValueOnce(full)
    return true
  }
  const first = await open('openai/gpt-5')
  expect(texts(await askAll(first, questions(12)))[0]).toBe(String(full))
  await first.close()
  const again = await askAll(await open('openai/gpt-5'), questions(12))
  expect(new Set(texts(again))).toEqual(new Set(['A']))
  expect(server.batches.length).toBe(1)
})

it('sends a few later requests directly, at the full price', async () => {
  const { server, open } = await setUp()
  const model = await open('openai/gpt-5')
  await askAll(model, questions(12))
  const [reply] = await askAll(model, [requestFor('One more')])
  expect(server.direct).toBe(1)
  expect(reply?.status === 'fulfilled' && reply.value.usage.usd).toBeCloseTo((100 * 2 + 20 * 8) / 1e6)
})

it('waits while the queue of the account is full, and says why a batch is refused', async () => {
  const { server, open } = await setUp()
  const model = await open('openai/gpt-5')
  server.refusal = 'token_limit_exceeded'
  expect(new Set(texts(await askAll(model, questions(12))))).toEqual(new Set(['A']))
  server.refusal = 'model_not_supported'
  const [other] = await askAll(model, questions(30).slice(12))
  expect(texts([other!])[0]).toMatch('the batch was refused: model_not_supported')
})

it('writes the requests to disk if someone else sends them', async () => {
  const { server, store, open } = await setUp()
  const suspended = async (run: string): Promise<string> => {
    const model = await open('vllm/Qwen3-VL', { batch: true })
    const stop = new AbortController()
    let why = ''
    model.batches!.watch({
      active: () => 3,
      run,
      suspend: (reason) => {
        why = reason
        stop.abort(new Error('suspended'))
      },
    })
    await Promise.allSettled(questions(3).map((request) => model.ask(request, stop.signal)))
    await model.close()
    return why
  }
  const line = '3 requests must be sent by you: sightline export run-1 --to batch-jsonl'
  expect(await suspended('run-1')).toBe(line)
  // Another run waits for the same requests.
  expect(await suspended('run-2')).toBe(line)
  expect(server.batches.length + server.direct).toBe(0)
  const [folder] = await store.batches.all()
  expect(folder?.record).toMatchObject({ state: 'waiting', requests: 3, run: 'run-1' })
  expect(await folder!.keys()).toHaveLength(3)
  const sending = await askAll(await open('vllm/Qwen3-VL', { batch: 'provider' }), questions(3))
  expect(new Set(texts(sending))).toEqual(new Set(['A']))
})
