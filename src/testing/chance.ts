/**
 * Statistical tests of chance level and ceiling instead of guessed tolerances: over all rows, a correct suite fails once in
 * ten thousand runs.
 */
import { ok } from 'node:assert/strict'
import type { AnySuite } from '../engine/suite.ts'
import { collect, DEFAULT_SEED, drawWeights } from '../report/bootstrap.ts'
import { Table, WeightedMeans } from '../report/table.ts'
import { Random } from '../base/random.ts'
import type { SummaryRow } from '../report/summary.ts'
import type { EpisodeLine, RunHeader } from '../store/records.ts'

const RESAMPLES = 400
/** Family-wise error rate, divided by the number of rows. */
const ALPHA = 1e-4

export function assertNearChance(suite: AnySuite, header: RunHeader, lines: readonly EpisodeLine[]): void {
  for (const { row, error, limit } of rowsWithError(suite, header, lines)) {
    if (row.chance === undefined || row.chance === null || row.value === null) continue
    const off = Math.abs(row.value - row.chance)
    ok(
      off <= limit * error + Number.EPSILON,
      `${row.key}: random scores ${row.value.toFixed(4)}, stated chance is ${row.chance.toFixed(4)}, standard error ${error.toFixed(4)}`,
    )
  }
}

/** Only the headline: other rows may have unstated ceilings. */
export function assertAtCeiling(suite: AnySuite, header: RunHeader, lines: readonly EpisodeLine[]): void {
  const rows = rowsWithError(suite, header, lines)
  for (const { row, error, limit, isHeadline } of rows) {
    if (!isHeadline || row.value === null) continue
    const ceiling = row.ceiling ?? (row.unit === 'percent' && row.better === 'higher' ? 1 : null)
    if (ceiling === null) continue
    const short = ceiling - row.value
    ok(
      short <= limit * error + Number.EPSILON,
      `${row.key}: oracle scores ${row.value.toFixed(4)}, ceiling is ${ceiling.toFixed(4)}, standard error ${error.toFixed(4)}`,
    )
  }
}

interface RowWithError {
  row: SummaryRow
  /** Standard error of the value minus chance or ceiling, which vary with the samples too. */
  error: number
  /** Allowed deviation in standard errors. */
  limit: number
  isHeadline: boolean
}

function rowsWithError(suite: AnySuite, header: RunHeader, lines: readonly EpisodeLine[]): RowWithError[] {
  const context = { profile: header.profile, options: header.options }
  const scored = suite.combine?.(lines, context) ?? lines
  const table = new Table(scored, suite.metrics)
  const summary = suite.summary(table, context)
  const weights = new Float64Array(table.clusters.length)
  const means = new WeightedMeans([{ table, weights }])
  const random = new Random(`testing/${DEFAULT_SEED}`)
  const drawn = new Map<string, number[]>()
  for (let i = 0; i < RESAMPLES; i++) {
    drawWeights(weights, random)
    means.reweighted()
    const differences = suite
      .summary(means, context)
      .rows.map(({ key, value, chance, ceiling }): [string, number | null] => [
        key,
        value === null ? null : value - (chance ?? ceiling ?? 0),
      ])
    collect(drawn, new Map(differences))
  }
  const limit = studentLimit(ALPHA / Math.max(1, summary.rows.length), table.clusters.length)
  return summary.rows.map((row) => ({
    row,
    limit,
    isHeadline: row.key === summary.headline,
    // At least half an answer: a difference of one answer is not evidence, even if all replicates agree.
    error: Math.max(deviation(drawn.get(row.key) ?? []), 1 / Math.max(1, 2 * row.n)),
  }))
}

function deviation(values: readonly number[]): number {
  if (values.length < 2) return 0
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
}

/**
 * Two-sided quantile of Student's t distribution, as the error is estimated from few clusters (G. W. Hill, Algorithm 396,
 * CACM 1970).
 */
export function studentLimit(probability: number, clusters: number): number {
  const n = Math.max(1, clusters - 1)
  if (n === 1) return 1 / Math.tan((probability * Math.PI) / 2)
  if (n === 2) return Math.sqrt(2 / (probability * (2 - probability)) - 2)
  const a = 1 / (n - 0.5)
  const b = 48 / a ** 2
  let c = ((20_700 * a) / b - 98) * a * a - 16 * a + 96.36
  const d = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * n
  let y = (d * probability) ** (2 / n)
  if (y > a + 0.05) {
    const x = normalQuantile(1 - probability / 2)
    y = x ** 2
    if (n < 5) c += 0.3 * (n - 4.5) * (x + 0.6)
    c += (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b
    y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
    y = Math.expm1(a * y ** 2)
  } else {
    y =
      ((1 / (((n + 6) / (n * y) - 0.089 * d - 0.822) * (n + 2) * 3) + 0.5 / (n + 4)) * y - 1) * ((n + 1) / (n + 2)) +
      1 / y
  }
  return Math.sqrt(n * y)
}

/** Quantile of the standard normal distribution (Acklam's approximation of the tails, relative error 1e-9). */
function normalQuantile(p: number): number {
  const q = Math.sqrt(-2 * Math.log(1 - p))
  const numerator = [
    -7.784894002430293e-3, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
    2.938163982698783,
  ]
  const denominator = [7.784695709041462e-3, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1]
  const at = (coefficients: readonly number[]): number => coefficients.reduce((sum, each) => sum * q + each, 0)
  return -at(numerator) / at(denominator)
}
