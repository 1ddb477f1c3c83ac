import { afterEach, beforeEach, expect, it } from 'vitest'
import { type HostileServer, startHostileServer } from '../../../test/support/models/hostile-server.ts'
import { openTestModel, requestFor, SECRET } from '../../../test/support/models/open-test-model.ts'
import { fromStored, toStored } from '../stored-reply.ts'
import type { Reply } from '../types.ts'
import { checkModelOption } from './options.ts'

let server: HostileServer
beforeEach(async () => {
  server = await startHostileServer()
})
afterEach(() => server.close())

/** As vLLM writes it with `logprobs` and `return_token_ids`. */
function completion(tokens: readonly [string, number][], ids: readonly number[] | null): string {
  const content = tokens.map(([token, logprob]) => ({
    token,
    logprob,
    bytes: [...Buffer.from(token)],
    top_logprobs: [],
  }))
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'x',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: tokens.map(([token]) => token).join('') },
        logprobs: { content },
        finish_reason: 'stop',
        stop_reason: null,
        token_ids: ids,
      },
    ],
    usage: { prompt_tokens: 9, completion_tokens: tokens.length, total_tokens: 9 + tokens.length },
    prompt_token_ids: [1, 2, 3],
  })
}

async function ask(spec: string, options: Record<string, string>): Promise<Reply> {
  const model = await openTestModel(spec, server.origin, { options })
  try {
    return await model.ask(requestFor('hello'), new AbortController().signal)
  } finally {
    await model.close()
  }
}

it.each([
  ['vllm/x', { logprobs: 'true', return_token_ids: 'true' }, [17, 4]],
  ['openai/gpt-4o', { api: 'chat', logprobs: 'true' }, null],
])('keeps tokens and their log-probabilities (%s)', async (spec, options, ids) => {
  // As the command line checks them.
  for (const [name, value] of Object.entries(options)) checkModelOption(name, value)
  server.behave({
    do: 'body',
    body: completion(
      [
        ['The', -0.25],
        [' sofa', -1.5],
      ],
      ids,
    ),
  })
  const reply = await ask(spec, options)
  expect(server.requests.at(-1)!.body).toMatchObject({ logprobs: true })
  const sampled = { texts: ['The', ' sofa'], logprobs: [-0.25, -1.5], ...(ids && { ids }) }
  expect(reply).toMatchObject({ text: 'The sofa', sampled })
  expect(fromStored(JSON.parse(JSON.stringify(toStored(spec, reply))))).toMatchObject({ text: 'The sofa', sampled })
})

it('keeps no token texts if they spell the key', async () => {
  const [start, end] = [SECRET.slice(0, 9), SECRET.slice(9)]
  server.behave({
    do: 'body',
    body: completion(
      [
        [start, -1],
        [end, -2],
      ],
      null,
    ),
  })
  const { sampled, text } = await ask('vllm/x', { logprobs: 'true' })
  expect(text).not.toContain(SECRET)
  expect(sampled).toEqual({ logprobs: [-1, -2] })
})
