/**
 * Compares two runs of one suite, paired by sample id.
 *
 * Each sample that both runs have becomes one row per run: the mean over its epochs. The suite's own summary is computed
 * for both sides, so composites are compared like all other scores.
 * - Confidence interval: percentile bootstrap of the difference; clusters are drawn with replacement, with the same draw
 *   for both runs.
 * - p-value: two-sided paired permutation test. Under the null hypothesis, the labels A and B are exchangeable within
 *   each cluster, so the runs' results are swapped in each cluster with probability 1/2.
 *   p = (1 + differences at least as large as the observed one) / (1 + permutations), with a fixed seed.
 */
import { plural } from '../base/plural.ts'
import { UserError } from '../base/errors.ts'
import { Random } from '../base/random.ts'
import { counts, type EpisodeLine, type RunHeader } from '../store/records.ts'
import { formatP } from './format.ts'
import {
  collect,
  DEFAULT_RESAMPLES,
  DEFAULT_SEED,
  drawWeights,
  FEW_CLUSTERS,
  type Interval,
  intervalOf,
  type Values,
} from './bootstrap.ts'
import { agreementNote, agreementOf, isPerson } from './agreement.ts'
import { tableRules } from './audit.ts'
import { LabelGroups } from './denominator.ts'
import { causeOf, type DifferenceCause, differencesOf, type Difference } from './comparability.ts'
import { inSampleOrder, type ReportedSuite } from './report.ts'
import type { Means, ScoredRow } from './means.ts'
import { successMetric } from './passes.ts'
import type { Summary } from './summary.ts'
import { Table, WeightedMeans } from './table.ts'

/** Tolerance for differences that are equal up to rounding. */
const ROUNDING = 1e-12
export const DEFAULT_PERMUTATIONS = 2000

export interface ComparedRun {
  header: RunHeader
  rows: readonly EpisodeLine[]
}

export interface ComparedRow {
  key: string
  title: string
  section?: string
  unit: 'percent' | 'number'
  better: 'higher' | 'lower'
  /** Value over the shared samples, each counted once. */
  a: number | null
  b: number | null
  n: number
  /** `b − a`. */
  difference: number | null
  interval: Interval | null
  noInterval?: string
  p: number | null
}

export interface Comparison {
  format: 1
  suite: string
  title: string
  a: RunName
  b: RunName
  headline: string
  /** Samples with a counted episode in both runs, and in only one. */
  shared: number
  onlyA: number
  onlyB: number
  clusters: number
  /** True if only the model and its options differ. */
  likeForLike: boolean
  /** What can explain the difference. */
  comesFrom: DifferenceCause
  differences: Difference[]
  rows: ComparedRow[]
  method: { resamples: number; permutations: number; seed: number }
  notes: string[]
}

export interface RunName {
  run: string
  suite: string
  player: string
  profile: string
}

export interface CompareOptions {
  seed?: number
  resamples?: number
  permutations?: number
}

export function compare(
  a: ComparedRun,
  b: ComparedRun,
  suite: ReportedSuite,
  options: CompareOptions = {},
): Comparison {
  const { seed = DEFAULT_SEED, resamples = DEFAULT_RESAMPLES, permutations = DEFAULT_PERMUTATIONS } = options
  // Suites with the same samples in another form can be compared sample by sample.
  if (a.header.suite !== b.header.suite && suite.comparableWith?.includes(b.header.suite) !== true) {
    throw new UserError(
      `Cannot compare runs of different suites: ${a.header.id} (${a.header.suite}) and ${b.header.id} (${b.header.suite}).`,
      { hint: 'Compare two runs of the same suite, or print several runs with `sightline report`.' },
    )
  }
  const pairs = pairUp(a, b, suite)
  if (pairs.shared === 0) {
    throw new UserError(`Cannot compare ${a.header.id} and ${b.header.id}: they have no samples in common.`, {
      hint: 'Run both on the same source, with the same seed and limit.',
    })
  }
  const { tableA, tableB } = pairs
  const clusters = tableA.clusters.length
  const summaries: Summaries = [a, b].map(
    ({ header }) =>
      (means: Means) =>
        suite.summary(means, tableRules(header, suite.audits?.()).context),
  ) as [Summarize, Summarize]
  const [summaryA, summaryB] = [summaries[0](tableA), summaries[1](tableB)]
  const inB = new Map(summaryB.rows.map((row) => [row.key, row]))
  const found = difference(summaries, tableA, tableB)
  const drawn = clusters < 2 ? new Map<string, number[]>() : bootstrap(summaries, tableA, tableB, seed, resamples)
  const pValues =
    clusters < 2 ? new Map<string, number>() : permute(summaries, tableA, tableB, found, seed, permutations)
  const rows = summaryA.rows.map((row): ComparedRow => {
    const value = found.get(row.key) ?? null
    const { interval, reason } = intervalOf(drawn.get(row.key), clusters, resamples)
    return {
      key: row.key,
      title: row.title,
      ...(row.section === undefined ? {} : { section: row.section }),
      unit: row.unit,
      better: row.better,
      a: row.value,
      b: inB.get(row.key)?.value ?? null,
      n: row.n,
      difference: value,
      interval: value === null ? null : interval,
      ...(value === null || reason === null ? {} : { noInterval: reason }),
      p: value === null ? null : (pValues.get(row.key) ?? null),
    }
  })
  const differences = differencesOf(a.header, b.header)
  return {
    format: 1,
    suite: a.header.suite,
    title: suite.title,
    a: nameOf(a.header),
    b: nameOf(b.header),
    headline: summaryA.headline,
    shared: pairs.shared,
    onlyA: pairs.onlyA,
    onlyB: pairs.onlyB,
    clusters,
    likeForLike: differences.every(({ kind }) => kind !== 'unlike'),
    comesFrom: causeOf(differences),
    differences,
    rows,
    method: { resamples, permutations, seed },
    notes: [...notesOf(pairs, clusters), ...peopleNotes(a, b, pairs, successMetric(summaryA, suite.metrics))],
  }
}

interface Pairs {
  /** Rows of the shared samples, one per sample. */
  left: readonly ScoredRow[]
  right: readonly ScoredRow[]
  tableA: Table
  tableB: Table
  shared: number
  onlyA: number
  onlyB: number
}

function pairUp(a: ComparedRun, b: ComparedRun, suite: ReportedSuite): Pairs {
  const rowsA = inSampleOrder(a.rows).filter(({ status }) => counts(status))
  const rowsB = inSampleOrder(b.rows).filter(({ status }) => counts(status))
  // Which metrics a question type has comes from both runs: all of its episodes may have failed in one.
  const groups = new LabelGroups(suite.metrics)
  for (const row of [...rowsA, ...rowsB]) groups.add(row)
  const samplesA = meansBySample(rowsA, suite, groups)
  const samplesB = meansBySample(rowsB, suite, groups)
  const shared = [...samplesA.keys()].filter((id) => samplesB.has(id))
  const left: ScoredRow[] = []
  const right: ScoredRow[] = []
  for (const id of shared) {
    const inA = samplesA.get(id)!
    const inB = samplesB.get(id)!
    // A value that only one run has (steps of an episode that failed in the other) cannot be paired.
    const both = Object.keys(inA.scores).filter((metric) => Object.hasOwn(inB.scores, metric))
    const only = ({ scores }: ScoredRow) => Object.fromEntries(both.map((metric) => [metric, scores[metric]!]))
    left.push({ ...inA, scores: only(inA) })
    // Labels and clusters of the first run apply to both, so a sample is in the same group on both sides.
    right.push({ ...inA, scores: only(inB) })
  }
  const tableA = new Table(left, suite.metrics)
  const tableB = new Table(right, suite.metrics, { clusters: tableA.clusters })
  return {
    left,
    right,
    tableA,
    tableB,
    shared: shared.length,
    onlyA: samplesA.size - shared.length,
    onlyB: samplesB.size - shared.length,
  }
}

/** One row per sample: the mean of each metric over its epochs, with the usual rules for failures. */
function meansBySample(
  rows: readonly EpisodeLine[],
  suite: ReportedSuite,
  groups: LabelGroups,
): Map<string, ScoredRow> {
  const table = new Table(rows, suite.metrics, { groups })
  const metrics = new Set(Object.keys(suite.metrics))
  for (const { scores } of rows) for (const metric in scores) metrics.add(metric)
  const sums = new Map<string, { row: EpisodeLine; scores: Map<string, { sum: number; count: number }> }>()
  for (const [i, row] of rows.entries()) {
    const known = sums.get(row.sample) ?? { row, scores: new Map<string, { sum: number; count: number }>() }
    sums.set(row.sample, known)
    for (const metric of metrics) {
      const value = table.contribution(metric, i)
      if (value === null) continue
      const total = known.scores.get(metric) ?? { sum: 0, count: 0 }
      known.scores.set(metric, { sum: total.sum + value, count: total.count + 1 })
    }
  }
  return new Map(
    [...sums].map(([id, { row, scores }]) => [
      id,
      {
        sample: id,
        epoch: 0,
        cluster: row.cluster,
        labels: row.labels,
        status: 'answered',
        scores: Object.fromEntries([...scores].map(([metric, { sum, count }]) => [metric, sum / count])),
      },
    ]),
  )
}

type Summarize = (means: Means) => Summary
/** Summary functions for A and B, each with its own profile and options. */
type Summaries = readonly [Summarize, Summarize]

function difference([ofA, ofB]: Summaries, a: Means, b: Means): Values {
  const inA = new Map(ofA(a).rows.map(({ key, value }) => [key, value]))
  return new Map(
    ofB(b).rows.map(({ key, value }) => {
      const before = inA.get(key) ?? null
      return [key, value === null || before === null ? null : value - before]
    }),
  )
}

function bootstrap(
  summaries: Summaries,
  tableA: Table,
  tableB: Table,
  seed: number,
  resamples: number,
): Map<string, number[]> {
  const weights = new Float64Array(tableA.clusters.length)
  const a = new WeightedMeans([{ table: tableA, weights }])
  const b = new WeightedMeans([{ table: tableB, weights }])
  const random = new Random(`report/compare/bootstrap/${seed}`)
  const drawn = new Map<string, number[]>()
  for (let i = 0; i < resamples; i++) {
    drawWeights(weights, random)
    a.reweighted()
    b.reweighted()
    collect(drawn, difference(summaries, a, b))
  }
  return drawn
}

function permute(
  summaries: Summaries,
  tableA: Table,
  tableB: Table,
  found: Values,
  seed: number,
  permutations: number,
): Map<string, number> {
  const kept = new Float64Array(tableA.clusters.length)
  const swapped = new Float64Array(tableA.clusters.length)
  const a = new WeightedMeans([
    { table: tableA, weights: kept },
    { table: tableB, weights: swapped },
  ])
  const b = new WeightedMeans([
    { table: tableA, weights: swapped },
    { table: tableB, weights: kept },
  ])
  const random = new Random(`report/compare/permutations/${seed}`)
  const asLarge = new Map<string, number>()
  const valid = new Map<string, number>()
  for (let i = 0; i < permutations; i++) {
    for (let cluster = 0; cluster < kept.length; cluster++) {
      const keep = random.int(2)
      kept[cluster] = keep
      swapped[cluster] = 1 - keep
    }
    a.reweighted()
    b.reweighted()
    for (const [key, value] of difference(summaries, a, b)) {
      const observed = found.get(key)
      if (value === null || observed === null || observed === undefined) continue
      valid.set(key, (valid.get(key) ?? 0) + 1)
      if (Math.abs(value) >= Math.abs(observed) - ROUNDING) asLarge.set(key, (asLarge.get(key) ?? 0) + 1)
    }
  }
  return new Map([...valid].map(([key, count]) => [key, (1 + (asLarge.get(key) ?? 0)) / (1 + count)]))
}

function nameOf({ id, suite, models, profile }: RunHeader): RunName {
  return { run: id, suite, player: models['player'] ?? id, profile }
}

/** Two people are also compared sample by sample. */
function peopleNotes(a: ComparedRun, b: ComparedRun, { left, right }: Pairs, metric: string | null): string[] {
  if (metric === null || ![a, b].every(({ header }) => isPerson(header.models['player'] ?? ''))) return []
  const agreement = agreementOf(left, right, metric)
  return agreement === null ? [] : [agreementNote(agreement)]
}

function notesOf({ onlyA, onlyB }: Pairs, clusters: number): string[] {
  const notes: string[] = []
  if (onlyA + onlyB > 0) {
    notes.push(`Excluded: ${plural(onlyA, 'sample')} only in A, ${plural(onlyB, 'sample')} only in B.`)
  }
  if (clusters < 2) notes.push('No confidence intervals or p-values: they need at least 2 clusters.')
  else if (clusters < FEW_CLUSTERS) {
    const least = formatP(2 ** (1 - clusters))
    notes.push(`Only ${clusters} clusters: confidence intervals are likely too narrow, and p cannot be below ${least}.`)
  }
  return notes
}
