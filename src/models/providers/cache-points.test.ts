import { expect, it } from 'vitest'
import { startHostileServer } from '../../../test/support/models/hostile-server.ts'
import { openTestModel, PNG, requestFor } from '../../../test/support/models/open-test-model.ts'
import type { Message } from '../types.ts'

function question(text: string): Message {
  const media = (['red', 'blue'] as const).map((color) => ({ type: 'media' as const, media: PNG[color].ref }))
  return { role: 'user', content: [...media, { type: 'text', text }] }
}

const said = (text: string): Message => ({ role: 'assistant', content: text })
const asked = (text: string): Message => ({ role: 'user', content: text })

it('Anthropic caches what is sent again: pictures that another question was about, and earlier turns', async () => {
  const server = await startHostileServer()
  const model = await openTestModel('anthropic/claude-sonnet-4-5', server.origin)
  const conversations = [
    [question('a')],
    [question('b')],
    [question('b'), said('1'), asked('c')],
    [question('b'), said('1'), asked('c'), said('2'), asked('d')],
  ]
  for (const messages of conversations) await model.ask(requestFor(messages), AbortSignal.timeout(30_000))
  const marked = server.requests.map(({ body }) =>
    (body as { messages: { content: Record<string, unknown>[] }[] }).messages.map(({ content }) =>
      content.flatMap((part, at) => (part['cache_control'] ? [at] : [])),
    ),
  )
  // Positions of marked parts, by message.
  expect(marked).toEqual([[[]], [[1]], [[2], [], [0]], [[], [], [0], [], [0]]])
  await model.close()
  await server.close()
})
