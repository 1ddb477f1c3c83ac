/**
 * Scored episodes as sums per cluster. A summary needs a few dozen means; each is computed once from all rows and kept
 * as a sum and a count per cluster. Reweighting clusters (a bootstrap replicate, a permutation) then costs work per
 * cluster, not per episode.
 */
import { counts } from '../store/records.ts'
import { failed, LabelGroups, type Labels, tooManyGroups } from './denominator.ts'
import type { Metric, Means, ScoredRow } from './means.ts'

/** Sum and count of a metric under a condition, by cluster. Clusters without values are omitted. */
export interface Cell {
  clusters: Uint32Array
  sums: Float64Array
  counts: Float64Array
  total: { sum: number; count: number }
}

const NO_CONDITION: Labels = {}
/** Additions for all means of a table, replicates included: a minute or two, and far more than any real run needs. */
const MAX_STEPS = 5e10

export class Table implements Means {
  /** Names of the clusters with counted episodes, in order of first appearance. */
  readonly clusters: readonly string[]
  /** Number of counted episodes. */
  readonly size: number
  readonly #groups: LabelGroups
  readonly #groupOf: Uint32Array
  readonly #clusterOf: Uint32Array
  readonly #failed: Uint8Array
  /** Values by metric; NaN for episodes without one. */
  readonly #columns = new Map<string, Float64Array>()
  readonly #labels = new Map<string, Set<string>>()
  readonly #cells = new Map<string, Cell>()
  #steps = 0

  /**
   * @param clusters names to number first, to share numbering between tables
   * @param groups label groups shared between tables; must contain all their rows
   */
  constructor(
    rows: readonly ScoredRow[],
    metrics: Readonly<Record<string, Metric>>,
    { clusters = [], groups = new LabelGroups(metrics) }: { clusters?: readonly string[]; groups?: LabelGroups } = {},
  ) {
    const counted = rows.filter(({ status }) => counts(status))
    const numbers = new Map<string, number>(clusters.map((name, i) => [name, i]))
    this.size = counted.length
    this.#groups = groups
    this.#groupOf = new Uint32Array(counted.length)
    this.#clusterOf = new Uint32Array(counted.length)
    this.#failed = new Uint8Array(counted.length)
    for (let i = 0; i < counted.length; i++) {
      const row = counted[i]!
      let cluster = numbers.get(row.cluster)
      if (cluster === undefined) {
        cluster = numbers.size
        numbers.set(row.cluster, cluster)
      }
      this.#clusterOf[i] = cluster
      this.#groupOf[i] = groups.add(row)
      this.#failed[i] = failed(row.status) ? 1 : 0
      for (const metric in row.scores) {
        let column = this.#columns.get(metric)
        if (column === undefined) {
          column = new Float64Array(counted.length).fill(Number.NaN)
          this.#columns.set(metric, column)
        }
        column[i] = row.scores[metric]!
      }
    }
    this.clusters = [...numbers.keys()]
    for (const group of new Set(this.#groupOf)) {
      for (const [name, value] of Object.entries(groups.labels(group))) {
        const seen = this.#labels.get(name)
        if (seen) seen.add(value)
        else this.#labels.set(name, new Set([value]))
      }
    }
  }

  mean(metric: string, where: Labels = NO_CONDITION): number | null {
    const { sum, count } = this.cell(metric, where).total
    return count === 0 ? null : sum / count
  }

  count(metric: string, where: Labels = NO_CONDITION): number {
    return this.cell(metric, where).total.count
  }

  whole(metric: string, where: Labels = NO_CONDITION): { value: number | null; n: number } {
    return wholeClusters([this.cell(metric, where)], () => 1)
  }

  values(label: string): readonly string[] {
    return [...(this.#labels.get(label) ?? [])]
  }

  labels(): readonly string[] {
    return [...this.#labels.keys()]
  }

  metrics(): readonly string[] {
    return [...this.#columns.keys()]
  }

  cell(metric: string, where: Labels): Cell {
    const key = cellKey(metric, where)
    let cell = this.#cells.get(key)
    if (cell === undefined) {
      cell = this.#compute(metric, where)
      this.#cells.set(key, cell)
    }
    return cell
  }

  /** What one episode contributes to a metric; null if it does not count. `i` indexes counted episodes. */
  contribution(metric: string, i: number): number | null {
    const value = this.#columns.get(metric)?.[i] ?? Number.NaN
    if (!Number.isNaN(value)) return value
    return this.#failed[i] === 1 && this.#groups.zeroForFailed(metric, this.#groupOf[i]!) ? 0 : null
  }

  /** Counts additions, so that a run of others with endless labels ends in an error, not in endless work. */
  spend(steps: number): void {
    this.#steps += steps
    if (this.#steps > MAX_STEPS) throw tooManyGroups()
  }

  #compute(metric: string, where: Labels): Cell {
    this.spend(this.size)
    const matching = this.#groups.matching(where)
    const zero = matching.map((matches, group) => matches && this.#groups.zeroForFailed(metric, group))
    const column = this.#columns.get(metric)
    const sums = new Float64Array(this.clusters.length)
    const counted = new Float64Array(this.clusters.length)
    let total = 0
    let count = 0
    for (let i = 0; i < this.size; i++) {
      const group = this.#groupOf[i]!
      if (!matching[group]) continue
      let value = column === undefined ? Number.NaN : column[i]!
      if (Number.isNaN(value)) {
        if (this.#failed[i] === 0 || !zero[group]) continue
        value = 0
      }
      const cluster = this.#clusterOf[i]!
      sums[cluster]! += value
      counted[cluster]! += 1
      total += value
      count += 1
    }
    const present = Uint32Array.from(this.clusters.keys()).filter((cluster) => counted[cluster]! > 0)
    return {
      clusters: present,
      sums: Float64Array.from(present, (cluster) => sums[cluster]!),
      counts: Float64Array.from(present, (cluster) => counted[cluster]!),
      total: { sum: total, count },
    }
  }
}

/** The weighted share of clusters whose sum is their count. */
function wholeClusters(
  cells: readonly Cell[],
  weightOf: (cell: number, cluster: number) => number,
): { value: number | null; n: number } {
  let right = 0
  let n = 0
  for (const [k, { clusters, sums, counts: counted }] of cells.entries()) {
    for (let i = 0; i < clusters.length; i++) {
      const weight = weightOf(k, clusters[i]!)
      n += weight
      if (sums[i]! >= counted[i]!) right += weight
    }
  }
  return { value: n === 0 ? null : right / n, n }
}

function cellKey(metric: string, where: Labels): string {
  const names = Object.keys(where)
  if (names.length === 0) return metric
  if (names.length > 1) names.sort()
  let key = metric
  for (const name of names) key += `\u0000${name}\u0001${where[name]}`
  return key
}

/** A table with cluster weights. Several can be added up: a permutation mixes two runs. */
export interface Weighted {
  table: Table
  weights: Float64Array
}

export class WeightedMeans implements Means {
  readonly #parts: readonly Weighted[]
  /** Sums under the current weights: summaries ask for the same mean and its count several times. */
  readonly #totals = new Map<string, { sum: number; count: number }>()

  constructor(parts: readonly Weighted[]) {
    this.#parts = parts
  }

  /** Must be called after the weights have changed. */
  reweighted(): void {
    this.#totals.clear()
  }

  mean(metric: string, where: Labels = NO_CONDITION): number | null {
    const { sum, count } = this.#total(metric, where)
    return count === 0 ? null : sum / count
  }

  count(metric: string, where: Labels = NO_CONDITION): number {
    return this.#total(metric, where).count
  }

  whole(metric: string, where: Labels = NO_CONDITION): { value: number | null; n: number } {
    const cells = this.#parts.map(({ table }) => table.cell(metric, where))
    for (const [i, { table }] of this.#parts.entries()) table.spend(cells[i]!.clusters.length)
    return wholeClusters(cells, (part, cluster) => this.#parts[part]!.weights[cluster]!)
  }

  #total(metric: string, where: Labels): { sum: number; count: number } {
    const key = cellKey(metric, where)
    let total = this.#totals.get(key)
    if (total === undefined) this.#totals.set(key, (total = this.#weigh(metric, where)))
    return total
  }

  #weigh(metric: string, where: Labels): { sum: number; count: number } {
    let sum = 0
    let count = 0
    for (const { table, weights } of this.#parts) {
      const { clusters, sums, counts } = table.cell(metric, where)
      table.spend(clusters.length)
      for (let i = 0; i < clusters.length; i++) {
        const weight = weights[clusters[i]!]!
        sum += weight * sums[i]!
        count += weight * counts[i]!
      }
    }
    return { sum, count }
  }

  values(label: string): readonly string[] {
    return [...new Set(this.#parts.flatMap(({ table }) => table.values(label)))]
  }

  labels(): readonly string[] {
    return [...new Set(this.#parts.flatMap(({ table }) => table.labels()))]
  }

  metrics(): readonly string[] {
    return [...new Set(this.#parts.flatMap(({ table }) => table.metrics()))]
  }
}
