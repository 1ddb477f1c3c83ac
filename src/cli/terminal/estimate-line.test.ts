import { expect, it } from 'vitest'
import { estimateLine } from './estimate-line.ts'

const gpt = 'openai/gpt-5.2'
const estimate = { calls: 839, inputTokens: 7_024_000, outputTokens: 252_000, usd: 15.82 }

it.each([
  [
    'a model',
    { planned: 20, models: { player: gpt }, budget: null },
    estimate,
    /20 episodes, 839 calls, 7,024k tokens in, 252k out, about \$15\.82 at list price\.$/,
  ],
  [
    'one episode',
    { planned: 1, models: { player: gpt }, budget: null },
    { ...estimate, calls: 1 },
    /1 episode, 1 call,/,
  ],
  ['a budget that is enough', { planned: 20, models: { player: gpt }, budget: '16usd' }, estimate, /list price\.$/],
  [
    'a budget that is not',
    { planned: 20, models: { player: gpt }, budget: '5usd' },
    estimate,
    /above the budget.*resumed/,
  ],
  [
    'a budget of tokens that is not',
    { planned: 20, models: { player: gpt }, budget: '7m-tokens' },
    { ...estimate, usd: null },
    /price unknown.*above the budget/,
  ],
  [
    'a judge that costs',
    { planned: 2, models: { player: 'baseline/random', judge: gpt }, budget: null },
    { ...estimate, usd: 0 },
    /\$0\.00 at the player's list price; the judge has its own/,
  ],
  [
    'the player as its own judge',
    { planned: 2, models: { player: gpt, judge: gpt }, budget: null },
    estimate,
    /at list price\.$/,
  ],
  [
    'no estimate',
    { planned: 2, models: { player: gpt }, budget: null },
    null,
    /^2 episodes; this suite gives no estimate/,
  ],
])('%s', (_, header, estimated, line) => {
  expect(estimateLine(header, estimated)).toMatch(line)
})
