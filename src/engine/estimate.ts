/** What a run will roughly ask and cost, before it starts. */
import type { Estimate, Prices } from '../models/prices.ts'
import type { RunPlan } from './plan.ts'
import { selectedSamples } from './source.ts'

/** Cases looked at: an estimate does not get better by reading all of them. */
const LOOKED_AT = 20

export async function estimateRun(
  { suite, options, source, selection, header }: RunPlan,
  prices: Prices,
): Promise<Estimate> {
  let samples = 0
  const total = { calls: 0, inputTokens: 0, outputTokens: 0 }
  for await (const { sample } of selectedSamples(source, selection)) {
    const { calls, inputTokens, outputTokens } = suite.estimate(sample, options)
    total.calls += calls
    total.inputTokens += inputTokens
    total.outputTokens += outputTokens
    if (++samples === LOOKED_AT) break
  }
  const scale = samples === 0 ? 0 : header.planned / samples
  return prices.estimate(
    header.models['player']!,
    Math.round(total.calls * scale),
    Math.round(total.inputTokens * scale),
    Math.round(total.outputTokens * scale),
  )
}
