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
  const total = { calls: 0, inputTokens: 0, outputTokens: 0, sentAgain: 0, sentTwice: 0, kept: 0 }
  const scenes = new Map<string, number>()
  for await (const { sample } of selectedSamples(source, selection)) {
    const { calls, inputTokens, outputTokens, repeatedTokens = 0, sharedTokens = 0 } = suite.estimate(sample, options)
    const before = scenes.get(sample.cluster) ?? 0
    scenes.set(sample.cluster, before + 1)
    total.calls += calls
    total.inputTokens += inputTokens
    total.outputTokens += outputTokens
    // The first conversation about a scene keeps what they share.
    const isKept = repeatedTokens > 0
    total.sentAgain += repeatedTokens + (before > (isKept ? 0 : 1) ? sharedTokens : 0)
    total.sentTwice += before === 1 && !isKept ? sharedTokens : 0
    total.kept += isKept ? inputTokens - repeatedTokens - (before > 0 ? sharedTokens : 0) : 0
    if (++samples === SAMPLES_READ) break
  }
  const scale = samples === 0 ? 0 : header.planned / samples
  const scaled = (tokens: number): number => Math.round(tokens * scale)
  return prices.estimate(
    header.models['player']!,
    {
      calls: scaled(total.calls),
      inputTokens: scaled(total.inputTokens),
      outputTokens: scaled(total.outputTokens),
      sentAgain: scaled(total.sentAgain),
      sentTwice: scaled(total.sentTwice),
      kept: scaled(total.kept),
    },
    isBatched(header),
  )
}

/** What the reply to one request costs, as far as the suite knows. */
export async function expectedReply(plan: RunPlan, prices: Prices): Promise<Usage> {
  const model = plan.header.models['player']!
  const { calls, outputTokens } = await estimateRun(plan, prices)
  const tokens = calls === 0 ? 0 : Math.round(outputTokens / calls)
  const { usd } = prices.estimate(model, { calls: 1, inputTokens: 0, outputTokens: tokens }, isBatched(plan.header))
  return { ...NO_USAGE, outputTokens: tokens, usd }
}

/** Whether the requests of the player are sent as batches. */
export function isBatched({ modelOptions }: Pick<RunPlan['header'], 'modelOptions'>): boolean {
  return ![undefined, false, 'false'].includes(modelOptions['batch'] as never)
}
