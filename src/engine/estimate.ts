/** Estimates the requests and cost of a run before it starts. */
import type { Estimate, Prices } from '../models/prices.ts'
import { NO_USAGE, type Usage } from '../models/types.ts'
import type { RunPlan } from './plan.ts'
import { selectedSamples } from './source.ts'

/** The estimate extrapolates from this many samples; reading more does not improve it. */
const SAMPLES_READ = 20

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
    if (++samples === SAMPLES_READ) break
  }
  const scale = samples === 0 ? 0 : header.planned / samples
  return prices.estimate(
    header.models['player']!,
    Math.round(total.calls * scale),
    Math.round(total.inputTokens * scale),
    Math.round(total.outputTokens * scale),
    isBatched(header),
  )
}

/** What the reply to one request costs, as far as the suite knows. */
export async function expectedReply(plan: RunPlan, prices: Prices): Promise<Usage> {
  const model = plan.header.models['player']!
  const { calls, outputTokens } = await estimateRun(plan, prices)
  const tokens = calls === 0 ? 0 : Math.round(outputTokens / calls)
  const { usd } = prices.estimate(model, 1, 0, tokens, isBatched(plan.header))
  return { ...NO_USAGE, outputTokens: tokens, usd }
}

/** Whether the requests of the player are sent as batches. */
export function isBatched({ modelOptions }: Pick<RunPlan['header'], 'modelOptions'>): boolean {
  return ![undefined, false, 'false'].includes(modelOptions['batch'] as never)
}
