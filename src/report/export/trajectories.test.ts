import { expect, it } from 'vitest'
import { trajectories } from './trajectories.ts'
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
  const row = { sample: 's', epoch: 1, labels: {}, status: 'answered', scores: { correct: 0.5 }, index: 0 }
  const input = {
    header: { id: 'run', suite: 'x', models: { player: 'vllm/x' } },
    rows: [row],
    eventsOf: () => Promise.resolve(events),
    success: 'correct',
  } as unknown as ExportInput
  const lines: string[] = []
  for await (const line of trajectories(input)) lines.push(line)
  const { messages, reward } = JSON.parse(lines.join('')) as { messages: object[]; reward: number }
  expect(reward).toBe(0.5)
  expect(messages).toEqual([
    { role: 'user', content: 'Where to?', mask: 0 },
    { role: 'assistant', content: 'go left', mask: 1, finish: 'stop', tokens: 2, sampled },
    { role: 'user', content: 'And now?', mask: 0 },
    { role: 'assistant', content: 'stop', mask: 1, finish: 'stop', tokens: 2, reward: 0.5 },
  ])
})
