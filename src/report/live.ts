import { counts } from '../store/records.ts'
import { failed, LabelGroups } from './denominator.ts'
import type { Metric, Means, ScoredRow } from './means.ts'

interface Sums {
  /** Failed episodes of the group. */
  failed: number
  metrics: Map<string, { sum: number; n: number; failedWithValue: number }>
}

/**
 * The live score of a run in progress. Keeps sums per combination of labels instead of episodes, so memory does not grow
 * with the run. Counts by the same rules as a report, without clusters.
 */
export class LiveMeans implements Means {
  readonly #groups: LabelGroups
  readonly #sums: Sums[] = []

  constructor(metrics: Readonly<Record<string, Metric>>) {
    this.#groups = new LabelGroups(metrics)
  }

  add(row: Pick<ScoredRow, 'labels' | 'status' | 'scores'>): void {
    if (!counts(row.status)) return
    const sums = (this.#sums[this.#groups.add(row)] ??= { failed: 0, metrics: new Map() })
    const isFailure = failed(row.status)
    if (isFailure) sums.failed += 1
    for (const name in row.scores) {
      const value = row.scores[name]!
      let metric = sums.metrics.get(name)
      if (!metric) sums.metrics.set(name, (metric = { sum: 0, n: 0, failedWithValue: 0 }))
      metric.sum += value
      metric.n += 1
      if (isFailure) metric.failedWithValue += 1
    }
  }

  mean(metric: string, where?: Readonly<Record<string, string>>): number | null {
    const { sum, n } = this.#total(metric, where)
    return n === 0 ? null : sum / n
  }

  count(metric: string, where?: Readonly<Record<string, string>>): number {
    return this.#total(metric, where).n
  }

  whole(): { value: null; n: number } {
    return { value: null, n: 0 }
  }

  values(label: string): readonly string[] {
    const found = new Set<string>()
    for (let group = 0; group < this.#groups.size; group++) {
      const value = this.#groups.labels(group)[label]
      if (value !== undefined) found.add(value)
    }
    return [...found]
  }

  labels(): readonly string[] {
    const names = Array.from({ length: this.#groups.size }, (_, group) => Object.keys(this.#groups.labels(group)))
    return [...new Set(names.flat())]
  }

  metrics(): readonly string[] {
    return [...new Set(this.#sums.flatMap(({ metrics }) => [...metrics.keys()]))]
  }

  #total(metric: string, where: Readonly<Record<string, string>> = {}): { sum: number; n: number } {
    const matches = this.#groups.matching(where)
    let sum = 0
    let n = 0
    for (const [group, sums] of this.#sums.entries()) {
      if (!matches[group]) continue
      const known = sums.metrics.get(metric)
      sum += known?.sum ?? 0
      n += known?.n ?? 0
      if (this.#groups.zeroForFailed(metric, group)) n += sums.failed - (known?.failedWithValue ?? 0)
    }
    return { sum, n }
  }
}
