import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { isObject } from '../../base/json-object.ts'
import { ModelError, type Message, type Model } from '../types.ts'
import { openTestModel, PNG, requestFor, SECRET } from '../../../test/support/models/open-test-model.ts'
import { type HostileServer, startHostileServer } from '../../../test/support/models/hostile-server.ts'
import { timeoutWhenCountGrows } from '../../../test/support/models/quick-clock.ts'

let server: HostileServer
const opened: Model[] = []
const NEVER = new AbortController().signal

beforeAll(async () => {
  server = await startHostileServer()
})
afterEach(async () => {
  server.behave({ do: 'reply' })
  await Promise.all(opened.splice(0).map((model) => model.close()))
})
afterAll(() => server.close())

async function open(spec: string, more: Parameters<typeof openTestModel>[2] = {}): Promise<Model> {
  const model = await openTestModel(spec, server.origin, more)
  opened.push(model)
  return model
}

/** Every wire format, with its path and the header for the key. */
const WIRES = [
  { spec: 'openai/gpt-4o', path: '/v1/responses', auth: 'authorization' },
  { spec: 'openai/gpt-4o', path: '/v1/chat/completions', auth: 'authorization', options: { api: 'chat' } },
  { spec: 'anthropic/claude-sonnet-4-5', path: '/v1/messages', auth: 'x-api-key' },
  { spec: 'google/gemini-2.5-pro', path: '/v1beta/models/gemini-2.5-pro:generateContent', auth: 'x-goog-api-key' },
  { spec: 'azure/our-gpt-5', path: '/openai/v1/responses', auth: 'api-key' },
  {
    spec: 'azure/our-gpt-4o',
    path: '/openai/deployments/our-gpt-4o/chat/completions?api-version=2024-10-21',
    auth: 'api-key',
    options: { api: 'chat', api_version: '2024-10-21' },
  },
  {
    spec: 'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    path: '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse',
    auth: 'authorization',
  },
  {
    spec: 'vertex/gemini-2.5-pro',
    path: '/v1/publishers/google/models/gemini-2.5-pro:generateContent',
    auth: 'x-goog-api-key',
  },
  { spec: 'vllm/Qwen/Qwen3-VL-8B-Instruct', path: '/v1/chat/completions', auth: 'authorization' },
  { spec: 'openrouter/qwen/qwen3-vl', path: '/v1/chat/completions', auth: 'authorization' },
]

const twoImages: Message[] = [
  { role: 'system', content: 'You see rooms.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Before:' },
      { type: 'media', media: PNG.red.ref },
      { type: 'text', text: 'After:' },
      { type: 'media', media: PNG.blue.ref },
    ],
  },
  { role: 'assistant', content: 'I see.' },
  { role: 'user', content: 'What moved? "Quotes", ümlauts and \n lines survive.' },
]

describe.each(WIRES)('$spec at $path', ({ spec, path, auth, options }) => {
  const more = options ? { options } : {}

  it('sends all images unchanged and in order, and the key in its header', async () => {
    const model = await open(spec, more)
    const reply = await model.ask(requestFor(twoImages), NEVER)
    expect(reply).toMatchObject({
      text: 'The chair is left of the table.',
      finish: 'stop',
      cached: false,
      usage: { calls: 1, inputTokens: 100, outputTokens: 20 },
    })
    const sent = server.requests.at(-1)!
    expect(sent.path).toBe(path)
    expect(String(sent.headers[auth])).toContain(SECRET)
    const strings = stringsIn(sent.body)
    const images = strings
      .filter((text) => text.length > 60)
      .map((text) => text.replace(/^data:image\/png;base64,/, ''))
    expect(images.map((text) => hash(Buffer.from(text, 'base64')))).toEqual([PNG.red.ref.sha256, PNG.blue.ref.sha256])
    for (const text of [
      'You see rooms.',
      'Before:',
      'After:',
      'I see.',
      'What moved? "Quotes", ümlauts and \n lines survive.',
    ]) {
      expect(strings).toContain(text)
    }
  })

  it('reads reasoning, cached input tokens and the finish reason', async () => {
    server.behave({
      do: 'reply',
      text: 'Left.',
      reasoning: 'The chair moved.',
      finish: 'length',
      reasoningTokens: 7,
      cachedTokens: 40,
    })
    const reply = await (await open(spec, more)).ask(requestFor('Where?'), NEVER)
    expect(reply).toMatchObject({ text: 'Left.', finish: 'length', usage: { inputTokens: 100, cachedInputTokens: 40 } })
    expect(reply.usage.outputTokens).toBe(20)
    // OpenAI's chat completions never return reasoning; Anthropic and Bedrock do not count it separately.
    if (options?.api !== 'chat') expect(reply.reasoning).toBe('The chair moved.')
    if (!/anthropic/.test(spec)) expect(reply.usage.reasoningTokens).toBe(7)
  })

  it('returns a refusal as a filtered reply', async () => {
    server.behave({ do: 'reply', text: '', finish: 'content-filter' })
    const reply = await (await open(spec, more)).ask(requestFor('Hm?'), NEVER)
    expect(reply).toMatchObject({ text: '', finish: 'content-filter' })
  })

  it.each([
    { name: 'an error that echoes all headers', behavior: { do: 'echo-headers', status: 401 } as const, kind: 'auth' },
    {
      name: 'a bad request',
      behavior: { do: 'status', status: 400, message: 'too long' } as const,
      kind: 'bad-request',
    },
    { name: 'a request that is too large', behavior: { do: 'status', status: 413 } as const, kind: 'bad-request' },
    { name: 'an unknown model', behavior: { do: 'status', status: 404 } as const, kind: 'bad-request' },
    {
      name: 'a redirect',
      behavior: { do: 'status', status: 302, headers: { location: 'http://x.test/' } } as const,
      kind: 'bad-request',
    },
    { name: 'a flood of 50 MB', behavior: { do: 'flood', bytes: 50 * 2 ** 20 } as const, kind: 'too-large' },
  ])('does not retry $name', async ({ behavior, kind }) => {
    server.behave(behavior)
    const before = { requests: server.requests.length, bytes: server.bytesSent() }
    const error = await failureOf(await open(spec, more))
    expect(error).toMatchObject({ kind, attempts: 1 })
    expect(error.message).not.toContain(SECRET)
    expect(error.stack).not.toContain(SECRET)
    expect(server.requests.length - before.requests).toBe(1)
    // The rest of a flood is not read: bytes written beyond the limit stay in socket buffers.
    expect(server.bytesSent() - before.bytes).toBeLessThan(30 * 2 ** 20)
  })

  it.each([
    {
      name: '429 with Retry-After',
      behavior: { do: 'status', status: 429, headers: { 'retry-after': '2' } } as const,
      kind: 'rate-limit',
    },
    { name: '429 without Retry-After', behavior: { do: 'status', status: 429 } as const, kind: 'rate-limit' },
    { name: '408', behavior: { do: 'status', status: 408 } as const, kind: 'timeout' },
    { name: '500', behavior: { do: 'status', status: 500 } as const, kind: 'server' },
    { name: '529', behavior: { do: 'status', status: 529 } as const, kind: 'rate-limit' },
    { name: 'a dropped connection', behavior: { do: 'drop', when: 'before' } as const, kind: 'network' },
    { name: 'a connection dropped in the middle', behavior: { do: 'drop', when: 'middle' } as const, kind: 'network' },
    { name: 'a server that hangs', behavior: { do: 'hang', when: 'before' } as const, kind: 'timeout' },
    { name: 'a server that hangs in the middle', behavior: { do: 'hang', when: 'middle' } as const, kind: 'timeout' },
    { name: 'truncated JSON', behavior: { do: 'cut-short' } as const, kind: 'bad-reply' },
    { name: 'an empty body', behavior: { do: 'body', body: '' } as const, kind: 'bad-reply' },
    { name: 'HTML', behavior: { do: 'body', body: '<html>Gateway</html>' } as const, kind: 'bad-reply' },
    { name: 'an empty object', behavior: { do: 'body', body: '{}' } as const, kind: 'bad-reply' },
    { name: 'an array', behavior: { do: 'body', body: '[1]' } as const, kind: 'bad-reply' },
    {
      name: 'no choices',
      behavior: { do: 'body', body: '{"choices":[],"candidates":[]}' } as const,
      kind: 'bad-reply',
    },
  ])('retries $name, and reports it when retries run out', async ({ behavior, kind }) => {
    const clock = timeoutWhenCountGrows(() => server.hung())
    server.behave([behavior, { do: 'reply', text: 'at last' }])
    const patient = await open(spec, { ...more, clock, maxRetries: 1 })
    const reply = await patient.ask(requestFor('patience'), NEVER)
    expect(reply.text).toBe('at last')

    server.behave(behavior)
    const before = server.requests.length
    const error = await failureOf(await open(spec, { ...more, clock, maxRetries: 1 }))
    expect(error).toMatchObject({ kind, attempts: 2 })
    expect(server.requests.length - before).toBe(2)
  })

  it.each(['before', 'middle'] as const)('stops immediately when aborted (hangs %s the response)', async (when) => {
    server.behave({ do: 'hang', when })
    const model = await open(spec, more)
    const controller = new AbortController()
    const asked = model.ask(requestFor('slow'), controller.signal)
    const before = server.requests.length
    await expect.poll(() => server.requests.length).toBeGreaterThan(before)
    controller.abort(new Error('stop it'))
    await expect(asked).rejects.toThrow('stop it')
    await expect.poll(() => server.parallel()).toBe(0)
  })

  it('stops immediately when aborted before a retry', async () => {
    server.behave({ do: 'status', status: 500 })
    const model = await open(spec, { ...more, timesAsFast: 0.001 })
    const controller = new AbortController()
    const before = server.requests.length
    const asked = model.ask(requestFor('slow'), controller.signal)
    await expect.poll(() => server.requests.length > before && server.parallel() === 0).toBe(true)
    controller.abort(new Error('stop it'))
    await expect(asked).rejects.toThrow('stop it')
  })
})

describe('unsupported media', () => {
  it.each([
    ['openai/gpt-4o', 'video/mp4'],
    ['openai/gpt-4o', 'audio/wav'],
    ['anthropic/claude-sonnet-4-5', 'video/mp4'],
    ['anthropic/claude-sonnet-4-5', 'audio/mpeg'],
    ['google/gemini-2.5-pro', 'image/svg+xml'],
    ['ollama/llava', 'video/mp4'],
    ['vllm/x', 'model/gltf-binary'],
  ] as const)('%s rejects %s before anything is sent', async (spec, type) => {
    const before = server.requests.length
    const model = await open(spec)
    const messages: Message[] = [{ role: 'user', content: [{ type: 'media', media: { ...PNG.red.ref, type } }] }]
    await expect(model.ask(requestFor(messages), AbortSignal.timeout(5000))).rejects.toMatchObject({
      kind: 'unsupported',
      message: expect.stringContaining(type),
    })
    expect(server.requests.length).toBe(before)
  })
})

describe('video and audio', () => {
  const asks = async (spec: string, type: 'video/mp4' | 'audio/wav' | 'audio/mpeg', options = {}) => {
    const model = await open(spec, { options })
    const messages: Message[] = [
      {
        role: 'user',
        content: [
          { type: 'media', media: { ...PNG.red.ref, type } },
          { type: 'text', text: 'What?' },
        ],
      },
    ]
    await model.ask(requestFor(messages), AbortSignal.timeout(5000))
    return JSON.stringify(server.requests.at(-1)!.body)
  }
  const data = Buffer.from(PNG.red.bytes).toString('base64')

  it.each([
    ['vllm/x', 'video/mp4', `{"type":"video_url","video_url":{"url":"data:video/mp4;base64,${data}"}}`],
    ['vllm/x', 'audio/mpeg', `{"type":"input_audio","input_audio":{"data":"${data}","format":"mp3"}}`],
    ['google/gemini-2.5-pro', 'video/mp4', `{"inlineData":{"mimeType":"video/mp4","data":"${data}"}}`],
    ['google/gemini-2.5-pro', 'audio/wav', `{"inlineData":{"mimeType":"audio/wav","data":"${data}"}}`],
  ] as const)('%s receives %s in its own format', async (spec, type, expected) => {
    expect(await asks(spec, type)).toContain(expected)
  })

  it('openai receives audio over chat completions', async () => {
    expect(await asks('openai/gpt-4o-audio-preview', 'audio/wav', { api: 'chat' })).toContain('"input_audio"')
  })
})

describe('request fields', () => {
  const sampled = { temperature: 0.2, topP: 0.9, maxTokens: 50, seed: 7, stop: ['END'] }

  it.each([
    ['vllm/x', {}, { temperature: 0.2, top_p: 0.9, max_tokens: 50, seed: 7, stop: ['END'] }],
    [
      'vllm/x',
      { temperature: '0', top_k: '20', guided: '{"a":[1]}' },
      { temperature: 0, top_k: 20, guided: { a: [1] } },
    ],
    ['openai/gpt-4o', { api: 'chat' }, { temperature: 0.2, max_tokens: 50, seed: 7, stop: ['END'] }],
    ['openai/gpt-4o', { service_tier: 'flex' }, { max_output_tokens: 50, store: false, service_tier: 'flex' }],
    [
      'anthropic/claude-sonnet-4-5',
      { top_k: '5' },
      { temperature: 0.2, max_tokens: 50, stop_sequences: ['END'], top_k: 5 },
    ],
    [
      'google/gemini-2.5-pro',
      { generationConfig: '{"topK":3}' },
      {
        generationConfig: { temperature: 0.2, maxOutputTokens: 50 + 16_384, seed: 7, stopSequences: ['END'], topK: 3 },
      },
    ],
    ['vllm/x', { effort: 'low' }, { reasoning_effort: 'low' }],
    ['openrouter/x/y', { effort: 'low' }, { reasoning: { effort: 'low' } }],
    ['openai/gpt-5.2', { effort: 'low' }, { reasoning: { effort: 'low' } }],
    ['anthropic/claude-sonnet-4-5', { effort: 'low' }, { thinking: { type: 'enabled', budget_tokens: 2048 } }],
    [
      'anthropic/claude-opus-4-7',
      { effort: 'low' },
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
    ],
    [
      'bedrock/global.anthropic.claude-sonnet-4-5-20250929-v1:0',
      { effort: 'low', inferenceConfig: '{"topP":0.5}' },
      {
        inferenceConfig: { maxTokens: 50 + 2048, stopSequences: ['END'], topP: 0.5 },
        additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2048 } },
      },
    ],
    [
      'bedrock/openai.gpt-oss-20b-1:0',
      { effort: 'low' },
      { inferenceConfig: { temperature: 0.2 }, additionalModelRequestFields: { reasoning_effort: 'low' } },
    ],
    ['azure/our-gpt-5', { effort: 'low' }, { model: 'our-gpt-5', store: false, reasoning: { effort: 'low' } }],
    ['vertex/gemini-2.5-pro', { effort: 'low' }, { generationConfig: { thinkingConfig: { thinkingBudget: 2048 } } }],
    ['google/gemini-2.5-pro', { effort: 'low' }, { generationConfig: { thinkingConfig: { thinkingBudget: 2048 } } }],
    [
      'google/gemini-3-pro-preview',
      { effort: 'low' },
      { generationConfig: { thinkingConfig: { thinkingLevel: 'low' } } },
    ],
  ])('%s with %o', async (spec, options, expected) => {
    const model = await open(spec, { options })
    await model.ask({ ...requestFor('Hello'), sampling: sampled }, AbortSignal.timeout(5000))
    expect(server.requests.at(-1)!.body).toMatchObject(expected)
  })

  it('logs an unsupported parameter once', async () => {
    const lines: string[] = []
    const model = await open('openai/gpt-4o', { log: (line) => lines.push(line) })
    await model.ask({ ...requestFor('a'), sampling: { seed: 1 } }, AbortSignal.timeout(5000))
    await model.ask({ ...requestFor('b'), sampling: { seed: 1 } }, AbortSignal.timeout(5000))
    expect(lines.filter((line) => line.includes('seed'))).toHaveLength(1)
  })
})

describe('secrets', () => {
  it('are redacted in a reply that repeats them', async () => {
    server.behave({ do: 'reply', text: `Your key is ${SECRET}.` })
    const reply = await (await open('vllm/x')).ask(requestFor('key?'), AbortSignal.timeout(5000))
    expect(reply.text).toBe('Your key is [redacted].')
  })

  it('names the environment variable when a key is rejected', async () => {
    server.behave({ do: 'status', status: 403 })
    expect((await failureOf(await open('anthropic/claude-sonnet-4-5'))).message).toContain('ANTHROPIC_API_KEY')
  })
})

it('returns a prompt blocked by Google as a filtered reply', async () => {
  server.behave({
    do: 'body',
    body: '{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":9}}',
  })
  const reply = await (await open('google/gemini-2.5-pro')).ask(requestFor('bad'), AbortSignal.timeout(5000))
  expect(reply).toMatchObject({ text: '', finish: 'content-filter' })
})

it.each([
  [
    'content parts instead of a string',
    '{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}',
    'ab',
  ],
  [
    'reasoning but no content',
    '{"choices":[{"message":{"content":null,"reasoning":"hm"},"finish_reason":"length"}]}',
    '',
  ],
  ['a refusal', '{"choices":[{"message":{"content":null,"refusal":"No."},"finish_reason":"stop"}]}', 'No.'],
  ['no usage', '{"choices":[{"message":{"content":"x"},"finish_reason":"eos"}],"usage":"none"}', 'x'],
])('reads a chat completion with %s', async (_, body, text) => {
  server.behave({ do: 'body', body })
  const reply = await (await open('sglang/x')).ask(requestFor('?'), AbortSignal.timeout(5000))
  expect(reply.text).toBe(text)
})

it('recognizes an error returned with status 200', async () => {
  server.behave({ do: 'body', body: '{"error":{"code":402,"message":"no credit"}}' })
  expect(await failureOf(await open('openrouter/x/y'))).toMatchObject({ kind: 'auth', attempts: 1 })
  server.behave({ do: 'body', body: '{"error":{"message":"busy"}}' })
  const { message } = await failureOf(await open('openrouter/x/z', { maxRetries: 0 }))
  expect(message).toContain('HTTP 502: busy')
})

it('reports the host and the environment variable when the connection is refused', async () => {
  const gone = await startHostileServer()
  await gone.close()
  const model = await openTestModel('vllm/x', gone.origin, { maxRetries: 1 })
  const error = await failureOf(model)
  const host = new URL(gone.origin).host
  expect(error).toMatchObject({
    kind: 'network',
    attempts: 2,
    message: `vllm/x at ${host}: connection refused (after 2 attempts). Check that the server is reachable and that VLLM_BASE_URL is correct.`,
  })
})

it('names -M base_url with the whole address when it was given', async () => {
  const gone = await startHostileServer()
  await gone.close()
  const base_url = `${gone.origin}/wrong`
  const error = await failureOf(await openTestModel('vllm/x', gone.origin, { maxRetries: 0, options: { base_url } }))
  expect(error.message).toContain(`and that -M base_url=${base_url} is correct.`)
})

it('shortens an HTML error page', async () => {
  server.behave({ do: 'status', status: 400, message: `<!DOCTYPE html><p>${'x'.repeat(5000)}` })
  const { message } = await failureOf(await open('vllm/x'))
  expect(message).toContain('HTTP 400: <!DOCTYPE html>')
  expect(message.length).toBeLessThan(300)
})

async function failureOf(model: Model): Promise<ModelError> {
  const error: unknown = await model.ask(requestFor('fail'), NEVER).catch((thrown: unknown) => thrown)
  if (error instanceof ModelError) return error
  throw new Error(`expected a ModelError, got ${String(error)}`)
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  return isObject(value) ? Object.values(value).flatMap(stringsIn) : []
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
