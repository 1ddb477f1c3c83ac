import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ReplyStore } from '../deps.ts'
import { loadPrices, Prices } from '../prices.ts'
import { type Behaviour, type HostileServer, startHostileServer } from '../../../test/support/models/hostile-server.ts'
import {
  openTestModel,
  PNG,
  requestFor,
  SECRET,
  type TestSettings,
} from '../../../test/support/models/open-test-model.ts'
import type { Message, Model, Payments, Reply } from '../types.ts'

let server: HostileServer
const opened: Model[] = []
const soon = () => AbortSignal.timeout(30_000)

beforeAll(async () => {
  server = await startHostileServer()
})
afterEach(async () => {
  server.behave({ do: 'reply' })
  await Promise.all(opened.splice(0).map((model) => model.close()))
})
afterAll(() => server.close())

async function open(spec: string, more: TestSettings = {}): Promise<Model> {
  const model = await openTestModel(spec, server.origin, more)
  opened.push(model)
  return model
}

function memoryStore(entries = new Map<string, unknown>()): ReplyStore & { entries: Map<string, unknown> } {
  return {
    entries,
    get: (key) => Promise.resolve(entries.get(key)),
    put: (key, value) => {
      entries.set(key, JSON.parse(JSON.stringify(value)))
      return Promise.resolve()
    },
  }
}

describe('limits', () => {
  it('never exceeds a fixed number of connections', async () => {
    const fresh = await startHostileServer((_, index) =>
      index % 3 === 0 ? { do: 'status', status: 500, ms: 2 } : { do: 'reply', ms: 2 },
    )
    const model = await openTestModel('vllm/x', fresh.origin, { maxConnections: 3, maxRetries: 20 })
    const replies = await Promise.all(Array.from({ length: 60 }, (_, i) => model.ask(requestFor(`${i}`), soon())))
    expect(replies).toHaveLength(60)
    expect(fresh.maxParallel()).toBe(3)
    await model.close()
    await fresh.close()
  })

  it('adapts the limit, with one cut per incident', async () => {
    // A server that is overloaded by more than ten connections.
    const refuse = { do: 'status', status: 429, headers: { 'retry-after': '1' } } as const
    const fresh = await startHostileServer(() => (model.connections() > 10 ? refuse : { do: 'reply', ms: 2 }))
    const lines: string[] = []
    const model = await openTestModel('vllm/x', fresh.origin, { maxRetries: 50, log: (line) => lines.push(line) })
    let peak = 0
    const asked = Array.from({ length: 400 }, async (_, i) => {
      await model.ask(requestFor(`${i}`), soon())
      peak = Math.max(peak, model.connections())
    })
    await Promise.all(asked)
    // 4, 8, 16: cut to 8; then 9, 10, 11: cut to 5; then 6, 7, 8 …
    expect(peak).toBe(16)
    expect(fresh.maxParallel()).toBeLessThanOrEqual(16)
    const first = 'waiting 1 s as asked, now at most 8 concurrent requests'
    expect(lines).toEqual([expect.stringContaining(first)])
    await model.close()
    await fresh.close()
  })

  it('releases the connection after an abort and after a missing file', async () => {
    const model = await open('openai/gpt-4o', { maxConnections: 1 })
    server.behave({ do: 'hang', when: 'before' })
    const controller = new AbortController()
    const aborted = model.ask(requestFor('a'), controller.signal)
    const waiting = model.ask(requestFor('b'), controller.signal)
    const ended = Promise.allSettled([aborted, waiting])
    await expect.poll(() => server.parallel()).toBe(1)
    controller.abort(new Error('stop it'))
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected'])

    const media = { ...PNG.red.ref, sha256: '0'.repeat(64) }
    const missing = model.ask(requestFor([{ role: 'user', content: [{ type: 'media', media }] }]), soon())
    await expect(missing).rejects.toMatchObject({
      name: 'MissingAssetError',
      message: expect.stringContaining('000000000000'),
    })

    server.behave({ do: 'reply' })
    expect((await model.ask(requestFor('c'), soon())).text).toBe('The chair is left of the table.')
  })

  it('cuts once and says so once when a whole burst is rejected', async () => {
    const seen = new Set<string>()
    server.behave(({ body }) => {
      const text = JSON.stringify(body)
      if (seen.has(text)) return { do: 'reply' }
      seen.add(text)
      return { do: 'status', status: 429, ms: 20, headers: { 'retry-after': '2' } }
    })
    const lines: string[] = []
    const model = await open('vllm/x', { log: (line) => lines.push(line) })
    expect(model.connections()).toBe(4)
    await Promise.all(Array.from({ length: 4 }, (_, i) => model.ask(requestFor(`burst ${i}`), soon())))
    expect(lines).toEqual([
      'vllm/x: rate limited (HTTP 429); waiting 2 s as asked, now at most 2 concurrent requests. Rejected requests are retried.',
    ])
  })

  it('settles every request to a server that fails in every possible way', async () => {
    const failures = [
      { do: 'status', status: 429 },
      { do: 'status', status: 500 },
      { do: 'drop', when: 'before' },
      { do: 'drop', when: 'middle' },
      { do: 'cut-short' },
      { do: 'hang', when: 'before' },
      { do: 'flood', bytes: 20 * 2 ** 20 },
      { do: 'reply' },
      { do: 'reply' },
      { do: 'reply' },
    ] as const
    server.behave((_, index) => failures[index % failures.length]!)
    const model = await open('vllm/x', { maxConnections: 8, maxRetries: 6, timeoutMs: 1000 })
    const ended = await Promise.allSettled(Array.from({ length: 40 }, (_, i) => model.ask(requestFor(`${i}`), soon())))
    expect(ended).toHaveLength(40)
    for (const end of ended) if (end.status === 'rejected') expect(end.reason).toHaveProperty('name', 'ModelError')
    expect(ended.filter((end) => end.status === 'fulfilled').length).toBeGreaterThan(10)
    await expect.poll(() => server.parallel()).toBe(0)
  })
})

describe('the response cache', () => {
  it('sends an identical request once, and returns the original cost', async () => {
    const replies = memoryStore()
    const prices = await loadPrices()
    server.behave({ do: 'reply', text: 'paid', inputTokens: 1000, outputTokens: 100 })
    const first = await (await open('openai/gpt-4o', { replies, prices })).ask(requestFor('q'), soon())
    const before = server.requests.length
    const second = await (await open('openai/gpt-4o', { replies, prices })).ask(requestFor('q'), soon())
    expect(server.requests.length).toBe(before)
    expect(first).toMatchObject({ text: 'paid', cached: false, usage: { usd: 0.0035 } })
    expect(second).toEqual({ ...first, cached: true })
    expect(JSON.stringify([...replies.entries])).not.toContain(SECRET)
  })

  const image = (ref: typeof PNG.red.ref): Message[] => [{ role: 'user', content: [{ type: 'media', media: ref }] }]
  const base = { spec: 'vllm/x', request: requestFor(image(PNG.red.ref)), options: {} }
  it.each([
    { name: 'a different epoch', ...base, request: { ...base.request, epoch: 1 } },
    { name: 'a different image', ...base, request: requestFor(image(PNG.blue.ref)) },
    { name: 'a different temperature', ...base, request: { ...base.request, sampling: { temperature: 1 } } },
    { name: 'a different model', ...base, spec: 'vllm/y' },
    { name: 'a different provider at the same URL', ...base, spec: 'sglang/x' },
    { name: 'a different base URL', ...base, options: { base_url: 'PATH' } },
    { name: 'an additional request field', ...base, options: { top_k: 3 } },
    { name: "the user's sampling parameters", ...base, options: { seed: 3 } },
  ])('misses for $name', async ({ spec, request, options }) => {
    const replies = memoryStore()
    await (await open(base.spec, { replies })).ask(base.request, soon())
    const before = server.requests.length
    const given = 'base_url' in options ? { base_url: `${server.origin}/other/v1` } : options
    expect((await (await open(spec, { replies, options: given })).ask(request, soon())).cached).toBe(false)
    expect(server.requests.length).toBe(before + 1)
    expect(replies.entries.size).toBe(2)
  })

  it('ignores the sample, the role and whether text is a string or a part', async () => {
    const replies = memoryStore()
    const model = await open('vllm/x', { replies })
    await model.ask(requestFor('same'), soon())
    const other = requestFor([{ role: 'user', content: [{ type: 'text', text: 'same' }] }])
    const reply = await model.ask(
      { ...other, origin: { sampleId: 'other', ordinal: 3, role: 'judge' }, baselineInput: { a: 1 } },
      soon(),
    )
    expect(reply.cached).toBe(true)
  })

  it.each([null, 'text', 7, {}, { format: 1, text: 5 }, { format: 2, text: 'x' }, []])(
    'misses when the cached file contains %o',
    async (broken) => {
      const replies = memoryStore()
      const model = await open('vllm/x', { replies })
      await model.ask(requestFor('q'), soon())
      const key = [...replies.entries.keys()][0]!
      replies.entries.set(key, broken)
      expect(await model.ask(requestFor('q'), soon())).toMatchObject({ cached: false })
      expect(replies.entries.get(key)).toMatchObject({ format: 1 })
    },
  )

  it('sends identical concurrent requests once', async () => {
    server.behave({ do: 'reply', ms: 30 })
    const model = await open('vllm/x', { replies: memoryStore() })
    const before = server.requests.length
    const replies = await Promise.all(Array.from({ length: 5 }, () => model.ask(requestFor('together'), soon())))
    expect(server.requests.length - before).toBe(1)
    expect(replies.filter(({ cached }) => !cached)).toHaveLength(1)
  })

  it('keeps a shared request alive when its first caller aborts', async () => {
    server.behave({ do: 'reply', ms: 50 })
    const model = await open('vllm/x', { replies: memoryStore() })
    const controller = new AbortController()
    const first = model.ask(requestFor('shared'), controller.signal)
    const second = model.ask(requestFor('shared'), soon())
    controller.abort(new Error('stop it'))
    await expect(first).rejects.toThrow('stop it')
    expect((await second).text).toBe('The chair is left of the table.')
  })

  it('does not share requests when the cache is off', async () => {
    const model = await open('vllm/x')
    const before = server.requests.length
    await Promise.all([model.ask(requestFor('q'), soon()), model.ask(requestFor('q'), soon())])
    expect(server.requests.length - before).toBe(2)
  })

  it('sends the request when the cache cannot be read', async () => {
    const broken: ReplyStore = {
      get: () => Promise.reject(new SyntaxError('Unexpected end of JSON input')),
      put: () => Promise.resolve(),
    }
    expect((await (await open('vllm/x', { replies: broken })).ask(requestFor('q'), soon())).cached).toBe(false)
  })

  it('returns a paid reply that cannot be stored, and asks for no other', async () => {
    const full: ReplyStore = {
      get: () => Promise.resolve(undefined),
      put: () => Promise.reject(new Error('ENOSPC: no space left on device')),
    }
    const model = await open('vllm/x', { replies: full })
    expect((await model.ask(requestFor('q'), soon())).cached).toBe(false)
    const sent = server.requests.length
    await expect(model.ask(requestFor('r'), soon())).rejects.toThrow(
      'Cannot store the replies of vllm/x: ENOSPC: no space left on device.',
    )
    expect(server.requests.length).toBe(sent)
  })
})

describe('the ledger', () => {
  /** Notes what was recorded, and how many requests had been sent by then. */
  function ledger(intend: () => Promise<void> = () => Promise.resolve()) {
    const entries: unknown[] = []
    const payments: Payments = {
      async intend({ inputTokens }) {
        await intend()
        entries.push({ asks: inputTokens > 0, sent: server.requests.length })
        return (charged) => {
          entries.push(charged === null || charged === 'unknown' ? charged : charged.inputTokens + charged.outputTokens)
          return Promise.resolve()
        }
      },
    }
    return { entries, payments }
  }

  it('has the intent before the request is sent, and the receipt after it', async () => {
    const { entries, payments } = ledger()
    const before = server.requests.length
    const model = await open('vllm/x', { replies: memoryStore() })
    const { usage } = await model.ask({ ...requestFor('ledger'), payments }, soon())
    expect(entries).toEqual([{ asks: true, sent: before }, usage.inputTokens + usage.outputTokens])
    // A cached reply is free.
    await model.ask({ ...requestFor('ledger'), payments }, soon())
    expect(entries).toHaveLength(2)
  })

  it('that cannot be written lets nothing out', async () => {
    const { payments } = ledger(() => Promise.reject(new Error('The disk is full')))
    const before = server.requests.length
    const model = await open('vllm/x')
    await expect(model.ask({ ...requestFor('nothing out'), payments }, soon())).rejects.toThrow('The disk is full')
    expect(server.requests.length).toBe(before)
  })

  it('has an entry for every attempt: an earlier one may have been charged too', async () => {
    server.behave([{ do: 'drop', when: 'middle' }, { do: 'reply' }])
    const { entries, payments } = ledger()
    const { usage } = await (await open('vllm/x')).ask({ ...requestFor('again'), payments }, soon())
    expect(entries.filter((entry) => typeof entry !== 'object')).toEqual([
      'unknown',
      usage.inputTokens + usage.outputTokens,
    ])
  })

  it.each<[string, Behaviour, unknown[]]>([
    ['a refusal costs nothing', { do: 'status', status: 400 }, [null]],
    ['a gateway that gave up may have cost something', { do: 'status', status: 504 }, ['unknown']],
    ['a lost connection may have cost something', { do: 'drop', when: 'middle' }, ['unknown']],
  ])('%s', async (_what, behavior, receipts) => {
    server.behave(behavior)
    const { entries, payments } = ledger()
    const model = await open('vllm/x', { maxRetries: 0 })
    await expect(model.ask({ ...requestFor('refused'), payments }, soon())).rejects.toThrow('vllm/x')
    expect(entries.slice(1)).toEqual(receipts)
  })
})

describe('usage', () => {
  const body = (usage: string) => `{"choices":[{"message":{"content":"eight letters"}}]${usage}}`

  it.each([
    ['missing', ''],
    ['negative', ',"usage":{"prompt_tokens":-5000000,"completion_tokens":1}'],
    ['absurd', ',"usage":{"prompt_tokens":1.7e308,"completion_tokens":1.7e308}'],
    ['zero for a text', ',"usage":{"prompt_tokens":0,"completion_tokens":0}'],
  ])('that is %s is estimated and marked, never 0', async (_what, usage) => {
    server.behave({ do: 'body', body: body(usage) })
    const prices = new Prices([{ 'vllm/x': { input: 1, output: 10 } }])
    const reply = await (await open('vllm/x', { prices })).ask(requestFor('a question of some length'), soon())
    expect(reply.usage).toMatchObject({ estimatedCalls: 1, outputTokens: 4 })
    expect(reply.usage.inputTokens).toBeGreaterThan(5)
    expect(reply.usage.usd).toBeGreaterThan(0)
    expect(reply.usage.usd).toBeLessThan(0.01)
  })

  it('that the server told is taken as it is', async () => {
    server.behave({ do: 'body', body: body(',"usage":{"prompt_tokens":7,"completion_tokens":2}') })
    const { usage } = await (await open('vllm/x')).ask(requestFor('q'), soon())
    expect(usage).toMatchObject({ inputTokens: 7, outputTokens: 2 })
    expect(usage).not.toHaveProperty('estimatedCalls')
  })
})

describe('closing', () => {
  it('ends requests in flight and in the queue', async () => {
    server.behave({ do: 'hang', when: 'before' })
    const model = await openTestModel('vllm/x', server.origin, { maxConnections: 1 })
    const asked = [model.ask(requestFor('a'), soon()), model.ask(requestFor('b'), soon())]
    const ended = Promise.allSettled(asked)
    await expect.poll(() => server.parallel()).toBe(1)
    await model.close()
    for (const end of await ended) expect(end).toMatchObject({ status: 'rejected', reason: { name: 'ModelError' } })
    await expect(model.ask(requestFor('c'), soon())).rejects.toThrow('closed')
  })
})

describe('cost', () => {
  it.each([
    ['openai/gpt-4o', 0.0035],
    ['openai/gpt-4o-2024-08-06', 0.0035],
    ['openai/gpt-nobody-knows', null],
    ['vllm/x', null],
  ])('%s costs %s', async (spec, usd) => {
    server.behave({ do: 'reply', inputTokens: 1000, outputTokens: 100 })
    const reply: Reply = await (await open(spec, { prices: await loadPrices() })).ask(requestFor('q'), soon())
    expect(reply.usage.usd).toBe(usd)
  })

  it('uses the cost reported by OpenRouter', async () => {
    const body =
      '{"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":1,"completion_tokens":1,"cost":0.25}}'
    server.behave({ do: 'body', body })
    expect((await (await open('openrouter/a/b')).ask(requestFor('q'), soon())).usage.usd).toBe(0.25)
    expect((await (await open('vllm/b')).ask(requestFor('q'), soon())).usage.usd).toBe(null)
  })
})
