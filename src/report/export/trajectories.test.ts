import { expect, it } from 'vitest'
import { trajectories } from './trajectories.ts'
import { transcriptOf } from './transcript.ts'
import type { ExportInput } from './types.ts'

it('has the tokens and log-probabilities that the server sent, and the reward on the last reply', async () => {
  const usage = { calls: 1, inputTokens: 9, outputTokens: 2, reasoningTokens: 0, cachedInputTokens: 0, usd: null }
  const sampled = { texts: ['go', ' left'], logprobs: [-0.5, -0.1], ids: [5, 6] }
  const reply = { type: 'reply', role: 'player', finish: 'stop', usage, ms: 1, cached: false }
  const events = [
    { type: 'message', id: 0, role: 'user', content: 'Where to?' },
    { type: 'ask', ordinal: 0, role: 'player', messages: [0], sampling: {} },
    { ...reply, ordinal: 0, text: 'go left', sampled },
    { type: 'message', id: 1, role: 'assistant', content: 'go left' },
    { type: 'message', id: 2, role: 'user', content: 'And now?' },
    { type: 'ask', ordinal: 1, role: 'player', messages: [0, 1, 2], sampling: {} },
    { ...reply, ordinal: 1, text: 'stop', sampled: { texts: 'none' } },
  ]
  const [line] = await written(events)
  const { messages, reward } = line!
  expect(reward).toBe(0.5)
  expect(messages).toEqual([
    { role: 'user', content: 'Where to?', mask: 0 },
    { role: 'assistant', content: 'go left', mask: 1, finish: 'stop', tokens: 2, sampled },
    { role: 'user', content: 'And now?', mask: 0 },
    { role: 'assistant', content: 'stop', mask: 1, finish: 'stop', tokens: 2, reward: 0.5 },
  ])
})

it('has a line for each conversation, as the player saw it', async () => {
  const said = (ordinal: number, text: string) => ({ type: 'reply', ordinal, role: 'player', finish: 'stop', text })
  const asked = (ordinal: number, messages: number[], role = 'player') => ({ type: 'ask', ordinal, role, messages })
  const message = (id: number, role: string, content: string) => ({ type: 'message', id, role, content })
  const events = [
    message(0, 'user', 'Look.'),
    asked(0, [0]),
    said(0, 'hm'),
    message(1, 'assistant', 'hm'),
    message(2, 'user', 'Again.'),
    asked(1, [0, 1, 2]),
    said(1, 'hm'),
    // The same messages once more are not recorded again.
    asked(2, [0, 1, 2, 1, 2]),
    asked(3, [2], 'judge'),
    { ...said(3, 'no'), role: 'judge' },
    said(2, 'left'),
    // It goes back to ask something else.
    message(3, 'user', 'And right?'),
    asked(4, [0, 1, 3]),
    said(4, 'yes'),
    asked(5, [3]),
  ]
  const lines = await written(events)
  expect(lines.map(({ messages }) => messages.map(({ content, mask }) => `${mask} ${content}`))).toEqual([
    ['0 Look.', '1 hm', '0 Again.', '1 hm', '0 Again.', '1 left'],
    ['0 Look.', '0 hm', '0 And right?', '1 yes'],
  ])
  expect(lines.map(({ conversation, messages }) => [conversation, messages.at(-1)!.reward])).toEqual([
    [1, 0.5],
    [2, 0.5],
  ])
})

it('has a conversation with an empty reply, which is shown again as a space, once', async () => {
  const message = (id: number, role: string, content: string) => ({ type: 'message', id, role, content })
  const events = [
    message(0, 'user', 'Where to?'),
    { type: 'ask', ordinal: 0, role: 'player', messages: [0] },
    { type: 'reply', ordinal: 0, role: 'player', finish: 'length', text: '' },
    message(1, 'assistant', ' '),
    message(2, 'user', 'Again.'),
    { type: 'ask', ordinal: 1, role: 'player', messages: [0, 1, 2] },
    { type: 'reply', ordinal: 1, role: 'player', finish: 'stop', text: 'left' },
  ]
  const contents = ['Where to?', '', 'Again.', 'left']
  expect((await written(events)).map(({ messages }) => messages.map(({ content }) => content))).toEqual([contents])
  expect(transcriptOf(events).turns.map(({ content }) => content)).toEqual(contents)
})

interface Line {
  reward: number
  conversation: number
  messages: { role: string; content: string; mask: number; reward?: number }[]
}

async function written(events: readonly object[]): Promise<Line[]> {
  const row = { sample: 's', epoch: 1, labels: {}, status: 'answered', scores: { correct: 0.5 }, index: 0 }
  const input = {
    header: { id: 'run', suite: 'x', models: { player: 'vllm/x' } },
    rows: [row],
    eventsOf: () => Promise.resolve(events),
    success: 'correct',
  } as unknown as ExportInput
  const lines: Line[] = []
  for await (const line of trajectories(input)) lines.push(JSON.parse(line) as Line)
  return lines
}
