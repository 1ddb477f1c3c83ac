/**
 * Intervals by resampling clusters. Cases that share a scene are not independent, so whole scenes are drawn with
 * replacement, and the suite's own summary is run on every draw: composite scores get intervals like all others.
 */
import { Random } from '../base/random.ts'
import { WeightedMeans, type Table } from './table.ts'
import type { Means } from './means.ts'

export const LEVEL = 0.95
export const DEFAULT_RESAMPLES = 1000
/** Part of the random key: the same journal gives the same report, whoever makes it. */
export const DEFAULT_SEED = 1

/** Below this, percentile intervals are known to be too narrow; the report says so. */
export const FEW_CLUSTERS = 10

/**
 * A number gets an interval only when this share of the replicates has a value for it; where fewer than nearly all have
 * one and those are all the same, it stands on one cluster or two and has no spread that could be measured.
 */
const ENOUGH_REPLICATES = 0.7
const NEARLY_ALL_REPLICATES = 0.95

export type Interval = readonly [low: number, high: number]

export type IntervalOrReason = { interval: Interval; reason: null } | { interval: null; reason: string }

/** Named values of a means: the rows of a table. */
export type Values = ReadonlyMap<string, number | null>

/** The values of every replicate, by name. */
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
    collect(drawn, valuesOf(means))
  }
  return drawn
}

/** Draws as many clusters as there are, with replacement: how often each was drawn. */
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

/** The middle 95 % of the replicates, or the reason why there is no interval. */
export function intervalOf(
  values: readonly number[] | undefined,
  clusters: number,
  resamples: number,
): IntervalOrReason {
  if (clusters < 2) return { interval: null, reason: 'needs at least 2 clusters' }
  const tooFew: IntervalOrReason = { interval: null, reason: 'too few clusters have it' }
  if (values === undefined || values.length < resamples * ENOUGH_REPLICATES) return tooFew
  const sorted = Float64Array.from(values).sort()
  if (values.length < resamples * NEARLY_ALL_REPLICATES && sorted[0] === sorted.at(-1)) return tooFew
  const tail = (1 - LEVEL) / 2
  return { interval: [quantile(sorted, tail), quantile(sorted, 1 - tail)], reason: null }
}

/** Quantile of sorted values, linear between neighbours (Hyndman and Fan's type 7, the default of R and NumPy). */
export function quantile(sorted: Float64Array, share: number): number {
  const position = (sorted.length - 1) * share
  const below = Math.floor(position)
  const low = sorted[below]!
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!
  return low + (high - low) * (position - below)
}
