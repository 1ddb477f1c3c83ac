/**
 * Two runs of one suite, paired on case id.
 *
 * Each case that both runs have becomes one row a run: the mean over its repeats. The suite's own summary is run on both
 * sides, so composites are compared like all other numbers.
 * - Interval: clusters are drawn with replacement, the same draw for both sides; the middle 95 % of the differences.
 * - p-value: two-sided, by permutation. If the runs were equally good, it would not matter which is called A and which B,
 *   scene by scene: swap the two runs' results in a random half of the clusters, and see how often the difference comes
 *   out as large as the one found. Seeded; (1 + at least as large) / (1 + permutations).
 */
import { UserError } from '../base/errors.ts'
import { Random } from '../base/random.ts'
import { counts, type EpisodeLine, type RunHeader } from '../store/records.ts'
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
import { LabelGroups } from './denominator.ts'
import { causesOf, type DifferenceCause, differencesOf, type Difference } from './comparability.ts'
import { inOrder, type ReportedSuite } from './report.ts'
import type { Means, ScoredRow } from './means.ts'
import type { Summary } from './summary.ts'
import { Table, WeightedMeans } from './table.ts'

/** Differences that only rounding makes are no larger than the one found. */
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
  /** On the shared cases alone, each case once. */
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
  /** Cases with a countable episode in both runs, and in one only. */
  shared: number
  onlyA: number
  onlyB: number
  clusters: number
  /** True when nothing but the models differs. */
  likeForLike: boolean
  /** What the difference can come from. */
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
  // Suites that ask the same questions in other ways may be set against each other, case by case.
  if (a.header.suite !== b.header.suite && suite.comparableWith?.includes(b.header.suite) !== true) {
    throw new UserError(
      `Cannot compare runs of different suites: ${a.header.id} is of ${a.header.suite}, ${b.header.id} of ${b.header.suite}.`,
      { hint: 'Compare two runs of the same suite; "sightline report" prints several side by side.' },
    )
  }
  const pairs = pairUp(a, b, suite)
  if (pairs.shared === 0) {
    throw new UserError(
      `The runs ${a.header.id} and ${b.header.id} have no sample in common, so nothing can be paired.`,
      {
        hint: 'Run both on the same source, with the same seed and limit.',
      },
    )
  }
  const { tableA, tableB } = pairs
  const clusters = tableA.clusters.length
  const summaries: Summaries = [a, b].map(
    ({ header: { profile, options: chosen } }) =>
      (means: Means) =>
        suite.summary(means, { profile, options: chosen }),
  ) as [Summarize, Summarize]
  const [summaryA, summaryB] = [summaries[0](tableA), summaries[1](tableB)]
  const inB = new Map(summaryB.rows.map((row) => [row.key, row]))
  const found = difference(summaries, tableA, tableB)
  const drawn = clusters < 2 ? new Map<string, number[]>() : bootstrap(summaries, tableA, tableB, seed, resamples)
  const ps = clusters < 2 ? new Map<string, number>() : permute(summaries, tableA, tableB, found, seed, permutations)
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
      p: value === null ? null : (ps.get(row.key) ?? null),
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
    comesFrom: causesOf(differences),
    differences,
    rows,
    method: { resamples, permutations, seed },
    notes: notesOf(pairs, clusters),
  }
}

interface Pairs {
  tableA: Table
  tableB: Table
  shared: number
  onlyA: number
  onlyB: number
}

function pairUp(a: ComparedRun, b: ComparedRun, suite: ReportedSuite): Pairs {
  const rowsA = inOrder(a.rows).filter(({ status }) => counts(status))
  const rowsB = inOrder(b.rows).filter(({ status }) => counts(status))
  // Both runs tell which metrics a question type has: a run in which all of a type failed cannot.
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
    // A value that one side lacks (steps of an episode that failed) has nothing to be paired with.
    const both = Object.keys(inA.scores).filter((metric) => Object.hasOwn(inB.scores, metric))
    const only = ({ scores }: ScoredRow) => Object.fromEntries(both.map((metric) => [metric, scores[metric]!]))
    left.push({ ...inA, scores: only(inA) })
    // The first run's labels and clusters hold for both, so that a case is in the same place on both sides.
    right.push({ ...inA, scores: only(inB) })
  }
  const tableA = new Table(left, suite.metrics)
  const tableB = new Table(right, suite.metrics, { clusters: tableA.clusters })
  return {
    tableA,
    tableB,
    shared: shared.length,
    onlyA: samplesA.size - shared.length,
    onlyB: samplesB.size - shared.length,
  }
}

/** One row a case: the mean of each metric over its repeats, failures counted as everywhere. */
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
/** The tables of A and B, each under its own profile and options. */
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
  const stays = new Float64Array(tableA.clusters.length)
  const moves = new Float64Array(tableA.clusters.length)
  const a = new WeightedMeans([
    { table: tableA, weights: stays },
    { table: tableB, weights: moves },
  ])
  const b = new WeightedMeans([
    { table: tableA, weights: moves },
    { table: tableB, weights: stays },
  ])
  const random = new Random(`report/compare/permutations/${seed}`)
  const asLarge = new Map<string, number>()
  const valid = new Map<string, number>()
  for (let i = 0; i < permutations; i++) {
    for (let cluster = 0; cluster < stays.length; cluster++) {
      const stay = random.int(2)
      stays[cluster] = stay
      moves[cluster] = 1 - stay
    }
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

function notesOf({ onlyA, onlyB }: Pairs, clusters: number): string[] {
  const notes: string[] = []
  if (onlyA + onlyB > 0) notes.push(`Left out: ${onlyA} samples that only A has, ${onlyB} that only B has.`)
  if (clusters < 2) notes.push('No intervals and no p-values: they need samples from at least 2 clusters (scenes).')
  else if (clusters < FEW_CLUSTERS) {
    notes.push(`Only ${clusters} clusters (scenes): intervals from so few are likely too narrow.`)
  }
  return notes
}
