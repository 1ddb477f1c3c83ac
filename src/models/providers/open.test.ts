import { describe, expect, it } from 'vitest'
import { UserError } from '../../base/errors.ts'
import type { ModelDeps, RecordedReply } from '../deps.ts'
import { requestKey } from '../key.ts'
import { openModel } from './open.ts'
import { checkModelOption, parseModelOptions } from './options.ts'
import { thinkingAllowance } from './thinking.ts'
import { Prices } from '../prices.ts'
import { redactor } from '../secrets.ts'
import { startHostileServer } from '../../../test/support/models/hostile-server.ts'
import { openTestModel, requestFor } from '../../../test/support/models/open-test-model.ts'
import { NO_USAGE } from '../types.ts'

const deps: ModelDeps = {
  readMedia: () => Promise.reject(new Error('none')),
  replies: null,
  env: {},
  options: {},
  maxRetries: 0,
  timeoutMs: 1000,
  prices: new Prices([]),
  log: () => {},
}
const signal = new AbortController().signal

it.each([
  ['baseurl', 'Did you mean base_url?'],
  ['temprature', 'Did you mean temperature?'],
  ['max_token', 'Did you mean max_tokens?'],
  ['frobnicate', 'To send it to the server as is, use -M x.frobnicate=…'],
  ['api_key', 'Set the environment variable of the provider instead.'],
  ['x.secret', 'Set the environment variable of the provider instead.'],
])('rejects the model option %s: %s', (name, hint) => {
  expect(() => checkModelOption(name, 'x')).toThrow(expect.objectContaining({ hint: expect.stringContaining(hint) }))
})

it.each(['base_url', 'reasoning_effort', 'top_k', 'min_p', 'chat_template_kwargs', 'x.anything', 'extra_body'])(
  'accepts the model option %s',
  (name) => {
    expect(() => checkModelOption(name, 'x')).not.toThrow()
  },
)

it('sends x.NAME and extra_body as they are', () => {
  const { extra } = parseModelOptions({ 'x.foo': '1', extra_body: '{"bar":{"baz":true}}', top_k: 20 }, 'KEY')
  expect(extra).toEqual({ foo: 1, bar: { baz: true }, top_k: 20 })
})

it.each([
  ['[1]', /must be a JSON object/],
  ['{"messages":[]}', /extra_body.messages is not allowed/],
  ['{"api_key":"k"}', /API keys are only read from the environment/],
])('rejects extra_body=%s', (value, message) => {
  expect(() => parseModelOptions({ extra_body: value }, 'KEY')).toThrow(message)
})

describe('openModel', () => {
  it.each([
    ['opnai/gpt-5', {}, 'Did you mean "openai"?'],
    ['gpt-5', {}, '"gpt-5" has no provider. Use provider/model'],
    ['openai/', {}, 'No model name in "openai/"'],
    ['openai/gpt-5', {}, 'OPENAI_API_KEY'],
    ['openai/gpt-5', { env: { OPENAI_API_KEY: '  ' } }, 'OPENAI_API_KEY'],
    ['openai/gpt-5', { env: { OPENAI_API_KEY: 'sk-a\nb' } }, 'is not a valid API key'],
    ['anthropic/claude-opus-4-5', {}, 'ANTHROPIC_API_KEY'],
    ['google/gemini-2.5-pro', {}, 'GEMINI_API_KEY and GOOGLE_GENERATIVE_AI_API_KEY also work'],
    ['openrouter/a/b', {}, 'OPENROUTER_API_KEY'],
    ['openai-compatible/a', {}, 'OPENAI_COMPATIBLE_BASE_URL'],
    ['vllm/a', { options: { base_url: 'localhost:8000' } }, 'http://localhost:8000/v1'],
    ['vllm/a', { options: { base_url: 'http://u:secretpw@h/v1' } }, 'VLLM_BASE_URL'],
    ['vllm/a', { options: { api_key: 'sk-123456' } }, 'VLLM_API_KEY'],
    ['vllm/a', { options: { authorization: 'x' } }, 'VLLM_API_KEY'],
    ['vllm/a', { options: { temperature: 'warm' } }, 'temperature=warm'],
    ['vllm/a', { options: { messages: '[]' } }, 'Sightline sets this field'],
    ['openai/a', { env: { OPENAI_API_KEY: 'sk-123456' }, options: { api: 'assistants' } }, 'api=assistants'],
    ['baseline/random', {}, 'can only be used as the player'],
    ['replay/run', {}, 'recorded runs are not available'],
  ])('rejects %s %o with a clear error', async (spec, more, words) => {
    const failed: unknown = await openModel(spec, { ...deps, ...more }).catch((error: unknown) => error)
    if (!(failed instanceof UserError)) throw new Error(`expected a UserError, got ${String(failed)}`)
    const said = `${failed.message} ${failed.hint ?? ''}`
    expect(said).toContain(words)
    expect(said).not.toMatch(/secretpw|sk-123456/)
  })

  it.each(['ollama/llava:7b', 'lmstudio/a', 'vllm/Qwen/Qwen3-VL', 'sglang/a'])(
    'opens %s without a key',
    async (spec) => {
      const model = await openModel(spec, deps)
      expect(model).toMatchObject({ id: spec, local: false })
      expect(model.connections()).toBe(4)
      await model.close()
    },
  )
})

describe('replay', () => {
  const recorded: RecordedReply = {
    text: 'left',
    finish: 'stop',
    usage: { ...NO_USAGE, calls: 1, inputTokens: 10, usd: 0.01 },
    ms: 1234,
    requestKey: requestKey(requestFor('Where?')),
  }
  const open = (options = {}, reply = recorded) =>
    openModel('replay/my-run', {
      ...deps,
      options,
      recorded: () =>
        Promise.resolve({
          find: (sampleId, epoch, role, ordinal) =>
            sampleId === 'case' && epoch === 0 && role === 'player' && ordinal === 0 ? reply : undefined,
        }),
    })

  it('returns the recorded reply to the same request', async () => {
    const reply = await (await open()).ask(requestFor('Where?'), signal)
    expect(reply).toEqual({
      text: 'left',
      finish: 'stop',
      usage: recorded.usage,
      ms: 1234,
      cached: true,
      key: recorded.requestKey,
    })
  })

  it('rejects a changed request unless loose', async () => {
    await expect((await open()).ask(requestFor('Whence?'), signal)).rejects.toThrow(
      /differs from the recorded request.* -M loose=true/,
    )
    const reply = await (await open({ loose: 'true' })).ask(requestFor('Whence?'), signal)
    expect(reply.text).toBe('left')
  })

  it('accepts any request when none was recorded, as with a baseline', async () => {
    const reply = await (await open({}, { ...recorded, requestKey: '' })).ask(requestFor('Whence?'), signal)
    expect(reply.text).toBe('left')
  })

  it('reports which reply is missing', async () => {
    const request = { ...requestFor('Where?'), origin: { sampleId: 'case', ordinal: 1, role: 'player' as const } }
    await expect((await open()).ask(request, signal)).rejects.toThrow(
      'replay/my-run has no recorded reply for request 2 to the player for sample case, epoch 0.',
    )
  })
})

describe('redactor', () => {
  it.each([
    ['verbatim', (key: string) => `Bearer ${key}!`],
    ['in a URL', (key: string) => `?key=${encodeURIComponent(key)}`],
    ['in JSON', (key: string) => JSON.stringify({ key })],
    ['in Base64', (key: string) => `Basic ${Buffer.from(key).toString('base64')}`],
    ['twice', (key: string) => `${key} ${key}`],
  ])('redacts a key %s', (_, wrap) => {
    const key = 'k/e"y+with=signs'
    const clean = redactor([key])(wrap(key))
    expect(clean).toContain('[redacted]')
    expect(clean).not.toMatch(/with/)
    expect(clean).not.toContain(Buffer.from(key).toString('base64'))
  })

  it('ignores keys that are empty or too short', () => {
    expect(redactor([undefined, '', 'a'])('a plain text')).toBe('a plain text')
  })
})

describe('HTTP headers', () => {
  it('are sent with every request, references resolved and redacted', async () => {
    const server = await startHostileServer({ do: 'echo-headers', status: 403 })
    try {
      const model = await openTestModel('vllm/x', server.origin, {
        env: { VLLM_BASE_URL: server.origin, GATEWAY_TOKEN: 'gw-0123456789' },
        options: {
          'header.X-Team': 'vision',
          headers: { Authorization: 'Bearer $GATEWAY_TOKEN', 'x-trace': '${GATEWAY_TOKEN}!' },
        },
      })
      const error: unknown = await model.ask(requestFor('a'), signal).catch((reason: unknown) => reason)
      await model.close()
      expect(server.requests[0]!.headers).toMatchObject({
        'x-team': 'vision',
        authorization: 'Bearer gw-0123456789',
        'x-trace': 'gw-0123456789!',
      })
      expect(String(error)).toContain('Bearer [redacted]')
      expect(String(error)).not.toContain('gw-0123456789')
    } finally {
      await server.close()
    }
  })

  it.each([
    ['header.Authorization', 'Bearer abc', 'this looks like a secret'],
    ['header.x-api-key', 'abc', 'this looks like a secret'],
    ['header.X-Auth-Token', 'abc', 'this looks like a secret'],
    ['header.Cookie', 'a=b', 'this looks like a secret'],
    ['header.X-Any', 'sk-12345', 'this looks like a secret'],
    ['header.X-Any', 'Bearer abc', 'this looks like a secret'],
    ['header.X-Any', '0123456789abcdef0123456789abcdef', 'this looks like a secret'],
    ['header.X-Any', '$HOME sk-12345', 'this looks like a secret'],
    ['headers', '{"x-api-key":"abc"}', 'this looks like a secret'],
    ['headers', 'x', 'must be a JSON object'],
    ['header.Content-Type', 'text/plain', 'Sightline sets this header'],
    ['header.a b', 'c', 'not a valid HTTP header name'],
    ['header.X-Any', 'a\r\nb: c', 'one line of text'],
    ['chat_template_kwargs', '{"deep":[{"api_key":"x"}]}', 'API keys are only read from the environment'],
  ])('%s=%s is refused: %s', (name, value, words) => {
    expect(() => checkModelOption(name, value)).toThrow(words)
    expect(() => parseModelOptions({ [name]: value }, 'KEY')).toThrow(words)
  })

  it.each([
    ['header.X-Team', 'vision'],
    ['header.anthropic-beta', 'context-1m-2025-08-07'],
    ['header.HTTP-Referer', 'https://example.com/our/evaluation/of/spatial/models'],
    ['header.x-api-key', '$OUR_KEY'],
    ['headers', { 'X-Title': 'Spatial benchmarks of the vision team' }],
  ])('%s=%o is accepted', (name, value) => {
    expect(() => checkModelOption(name, value)).not.toThrow()
  })

  it.each([
    ['AWS_SECRET_ACCESS_KEY', {}, false],
    ['AWS_SECRET_ACCESS_KEY', { variables: ['OTHER'] }, false],
    ['AWS_SECRET_ACCESS_KEY', { variables: ['AWS_SECRET_ACCESS_KEY'], provider: 'openai' }, false],
    ['AWS_SECRET_ACCESS_KEY', { variables: ['AWS_SECRET_ACCESS_KEY'], provider: 'vllm' }, true],
    ['AWS_SECRET_ACCESS_KEY', { variables: 'any' as const }, true],
    ['SIGHTLINE_HEADER_GATEWAY', {}, true],
  ])('from a queue or a run file may hold %s at an address with %o: %s', async (variable, more, isSent) => {
    const allowed = [{ url: 'http://gpu/v1' }, { url: 'http://gpu/v1', ...more }]
    const env = { AWS_SECRET_ACCESS_KEY: 'a-secret', SIGHTLINE_HEADER_GATEWAY: 'a-token' }
    const destinations = { allowed, thisMachine: false, hint: '' }
    const options = { base_url: 'http://gpu/v1', 'header.X-A': `$${variable}` }
    const opened = openModel('vllm/x', { ...deps, env, options, destinations })
    if (isSent) await (await opened).close()
    else await expect(opened).rejects.toThrow(`refers to ${variable}, which nobody on this machine has named`)
  })

  it('names a variable that is not set', async () => {
    const options = { 'header.X-Any': '$NOT_THERE' }
    await expect(openModel('vllm/x', { ...deps, options })).rejects.toThrow(
      '-M header.X-Any refers to NOT_THERE, which is not set.',
    )
  })
})

it.each([
  ['gpt-5.2', {}, 16_384],
  ['gpt-5.2', { effort: 'high' }, 32_768],
  ['gpt-5.2', { effort: 'none' }, 0],
  ['gpt-5-chat-latest', {}, 0],
  ['gpt-4o', {}, 0],
  ['o4-mini', {}, 16_384],
  ['gemini-2.5-pro', {}, 16_384],
  ['gemini-2.5-flash-lite', {}, 0],
  ['claude-sonnet-4-5', {}, 0],
  // The SDK adds the budget itself.
  ['claude-sonnet-4-5', { effort: 'low' }, 0],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', { effort: 'low' }, 0],
  ['claude-opus-4-7', { effort: 'low' }, 16_384],
  ['deepseek/deepseek-r1', {}, 16_384],
  ['Qwen/Qwen3-8B', {}, 16_384],
  ['Qwen/Qwen3-8B', { chat_template_kwargs: { enable_thinking: false } }, 0],
  ['Qwen/Qwen3-VL-8B-Instruct', {}, 0],
  ['Qwen/Qwen3-VL-8B-Thinking', {}, 16_384],
  ['our-model', { chat_template_kwargs: '{"enable_thinking":true}' }, 16_384],
])('%s with %o may think %i tokens', (model, options, tokens) => {
  expect(thinkingAllowance(model, parseModelOptions(options, 'KEY'))).toBe(tokens)
})
