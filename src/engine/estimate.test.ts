import { expect, it } from 'vitest'
import { compass } from '../../test/support/compass.ts'
import { Prices } from '../models/prices.ts'
import { estimateRun } from './estimate.ts'
import { planRun } from './plan.ts'

const PRICE = { input: 1, output: 1, cachedInput: 0.1, cacheWrite: 1.25 }

it.each([
  // The first question writes 13,000 and 300, the others read 12,700 each and write their 300.
  ['conversations', { inputTokens: 26_000, repeatedTokens: 12_700, sharedTokens: 12_700 }],
  ['single questions', { inputTokens: 13_000, sharedTokens: 12_700 }],
])('counts what %s about a scene send again once', async (_, tokens) => {
  const suite = { ...compass, estimate: () => ({ calls: 1, outputTokens: 0, ...tokens }) }
  const plan = await planRun({ suite, models: { player: 'test/x' }, source: 'builtin:samples=10' })
  const samples = {
    ...plan.source,
    async *samples() {
      for await (const sample of plan.source.samples()) yield { ...sample, cluster: 'kitchen' }
    },
  }
  const { inputTokens, usd, usdCached } = await estimateRun(
    { ...plan, source: samples },
    new Prices([{ 'test/x': PRICE }]),
  )
  expect(inputTokens).toBe(10 * tokens.inputTokens)
  expect(usd).toBeCloseTo(inputTokens / 1e6)
  const [read, written] =
    'repeatedTokens' in tokens ? [10 * 12_700 + 9 * 12_700, 10 * 13_300 - 9 * 12_700] : [8 * 12_700, 12_700]
  const plain = inputTokens - read - written
  expect(usdCached).toBeCloseTo((plain + 0.1 * read + 1.25 * written) / 1e6)
  expect(plain).toBeGreaterThanOrEqual(0)
})
