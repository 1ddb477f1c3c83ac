/**
 * Cluster bootstrap. Samples of one scene (object, clip, prompt) are not independent, so whole clusters are drawn with
 * replacement. The suite's own summary is computed for every draw, so composite scores have confidence intervals too.
 */
import { Random } from '../base/random.ts'
import { WeightedMeans, type Table } from './table.ts'
import type { Means } from './means.ts'

export const LEVEL = 0.95
export const DEFAULT_RESAMPLES = 1000
/** Fixed, so the same journal always gives the same report. */
export const DEFAULT_SEED = 1

/** Below this, percentile intervals are known to be too narrow, and the report warns about it. */
export const FEW_CLUSTERS = 10

/**
 * A score has a confidence interval only if at least this share of replicates has a value. If some replicates have none
 * and all others agree, the score depends on one or two clusters and its spread cannot be estimated.
 */
const MIN_REPLICATES = 0.7
const NEARLY_ALL_REPLICATES = 0.95
const ROUNDING = 1e-12

export type Interval = readonly [low: number, high: number]

export type IntervalOrReason = { interval: Interval; reason: null } | { interval: null; reason: string }

/** Table rows: values by key. */
export type Values = ReadonlyMap<string, number | null>

/** The values of all replicates, by key. */
export function replicates(
  table: Table,
  valuesOf: (means: Means) => Values,
  { seed, resamples, purpose }: { seed: number; resamples: number; purpose: string },
): Map<string, number[]> {
  const weights = new Float64Array(table.clusters.length)
  const means = new WeightedMeans([{ table, weights }])
  const random = new Random(`report/${purpose}/${seed}`)
  const drawn = new Map<string, number[]>()
  for (let i = 0; i < resamples; i++) {
    drawWeights(weights, random)
    means.reweighted()
    collect(drawn, valuesOf(means))
  }
  return drawn
}

/** Draws as many clusters as there are, with replacement, and stores how often each was drawn. */
export function drawWeights(weights: Float64Array, random: Random): void {
  weights.fill(0)
  for (let i = 0; i < weights.length; i++) weights[random.int(weights.length)]! += 1
}

export function collect(drawn: Map<string, number[]>, values: Values): void {
  for (const [name, value] of values) {
    if (value === null || !Number.isFinite(value)) continue
    const list = drawn.get(name)
    if (list === undefined) drawn.set(name, [value])
    else list.push(value)
  }
}

/** The middle 95% of the replicates, or the reason why there is no interval. */
export function intervalOf(
  values: readonly number[] | undefined,
  clusters: number,
  resamples: number,
): IntervalOrReason {
  if (clusters < 2) return { interval: null, reason: 'needs at least 2 clusters' }
  const tooFew: IntervalOrReason = { interval: null, reason: 'too few clusters have a value' }
  if (values === undefined || values.length < resamples * MIN_REPLICATES) return tooFew
  const sorted = Float64Array.from(values).sort()
  if (values.length < resamples * NEARLY_ALL_REPLICATES && isConstant(sorted)) return tooFew
  const tail = (1 - LEVEL) / 2
  return { interval: [quantile(sorted, tail), quantile(sorted, 1 - tail)], reason: null }
}

/** Up to rounding: weighted means of one value differ in their last bits. */
function isConstant(sorted: Float64Array): boolean {
  const [low, high] = [sorted[0]!, sorted.at(-1)!]
  return high - low <= ROUNDING * Math.max(Math.abs(low), Math.abs(high))
}

/** Quantile of sorted values with linear interpolation (Hyndman and Fan's type 7, the default in R and NumPy). */
export function quantile(sorted: Float64Array, share: number): number {
  const position = (sorted.length - 1) * share
  const below = Math.floor(position)
  const low = sorted[below]!
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!
  return low + (high - low) * (position - below)
}
