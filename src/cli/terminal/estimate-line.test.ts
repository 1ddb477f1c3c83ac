import { expect, it } from 'vitest'
import { estimateLine } from './estimate-line.ts'

const gpt = 'openai/gpt-5.2'
const estimate = { calls: 839, inputTokens: 7_024_000, outputTokens: 252_000, usd: 15.82, usdCached: null }

it.each([
  [
    'a model',
    { planned: 20, models: { player: gpt }, budget: null },
    estimate,
    /20 episodes, 839 calls, 7,024k tokens in, 252k out, about \$15\.82 at list price\.$/,
  ],
  [
    'a provider that caches',
    { planned: 20, models: { player: gpt }, budget: null },
    { ...estimate, usdCached: 4.7 },
    /about \$15\.82 at list price, \$4\.70 with prompt caching\.$/,
  ],
  [
    'one episode',
    { planned: 1, models: { player: gpt }, budget: null },
    { ...estimate, calls: 1 },
    /1 episode, 1 call,/,
  ],
  ['a sufficient budget', { planned: 20, models: { player: gpt }, budget: '16usd' }, estimate, /list price\.$/],
  [
    'an insufficient budget',
    { planned: 20, models: { player: gpt }, budget: '5usd' },
    estimate,
    /exceeds the budget.*resumed/,
  ],
  [
    'an insufficient token budget',
    { planned: 20, models: { player: gpt }, budget: '7m-tokens' },
    { ...estimate, usd: null },
    /price unknown.*exceeds the budget/,
  ],
  [
    'a judge with its own price',
    { planned: 2, models: { player: 'baseline/random', judge: gpt }, budget: null },
    { ...estimate, usd: 0 },
    /\$0 at the player's list price, judge not included/,
  ],
  [
    'the player as its own judge',
    { planned: 2, models: { player: gpt, judge: gpt }, budget: null },
    estimate,
    /at list price\.$/,
  ],
  [
    'batches',
    { planned: 20, models: { player: gpt }, budget: null, modelOptions: { batch: true } },
    estimate,
    /about \$15\.82 at batch price\.$/,
  ],
  ['no estimate', { planned: 2, models: { player: gpt }, budget: null }, null, /^2 episodes; no cost estimate/],
])('%s', (_, header, estimated, line) => {
  expect(estimateLine({ modelOptions: {}, ...header }, estimated)).toMatch(line)
})
