/** Lines of results as providers and `vllm run-batch` write them. */
import { expect, it } from 'vitest'
import { batchProtocol } from './batching.ts'
import { RequestError } from './failure.ts'

const http = { baseUrl: '', request: () => Promise.reject(new Error('nothing is sent')) }
const vllm = (error: unknown, status_code = 400): object => ({
  id: 'vllm-1',
  custom_id: 'k',
  response: { status_code, request_id: 'vllm-batch-1', body: null },
  error,
})
const expiry = 'This request could not be executed before the completion window expired.'

it.each([
  ['openai', { id: 'b', custom_id: 'k', response: { status_code: 200, body: { a: 1 } }, error: null }, '{"a":1}'],
  [
    'openai',
    { id: 'b', custom_id: 'k', response: null, error: { code: 'batch_expired', message: expiry } },
    /the batch expired/,
  ],
  [
    'openai',
    { id: 'b', custom_id: 'k', response: { status_code: 429, body: { error: { message: 'slow' } } }, error: null },
    'HTTP 429: slow',
  ],
  ['openai', vllm('The model does not support images'), 'HTTP 400: The model does not support images'],
  ['openai', vllm({ error: { message: 'too long', type: 'BadRequestError', code: 400 } }), 'HTTP 400: too long'],
  ['openai', vllm({ object: 'error', message: 'no memory', code: 500 }, 500), 'HTTP 500: no memory'],
  ['openai', { id: 'v', custom_id: 'k', response: null, error: 'lost' }, 'HTTP 500: lost'],
  [
    'anthropic',
    {
      custom_id: 'k',
      result: { type: 'errored', error: { type: 'error', error: { type: 'invalid_request_error', message: 'bad' } } },
    },
    'HTTP 400: bad',
  ],
  ['anthropic', { custom_id: 'k', result: { type: 'expired' } }, /the batch expired/],
  ['google', { key: 'k', response: { candidates: [] } }, '{"candidates":[]}'],
  ['google', { key: 'k', error: { code: 3, message: 'bad' } }, 'HTTP 400: bad'],
  ['google', { key: 'k', error: { code: 429, message: 'slow', status: 'RESOURCE_EXHAUSTED' } }, 'HTTP 429: slow'],
] as const)('reads results of %s: %j', (family, line, expected) => {
  const result = batchProtocol(family, http)!.read(JSON.stringify(line))!
  expect(result.key).toBe('k')
  const said = result.reply instanceof RequestError ? result.reply.message : result.reply
  if (expected instanceof RegExp) expect(said).toMatch(expected)
  else expect(said).toBe(expected)
})
