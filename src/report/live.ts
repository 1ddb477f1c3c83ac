import { counts } from '../store/records.ts'
import type { Metric, Sample, ScoredRow } from './sample.ts'

interface Group {
  labels: Readonly<Record<string, string>>
  /** Failed episodes of this group. */
  failed: number
  metrics: Map<string, { sum: number; n: number; failedWithValue: number }>
}

/**
 * A sample that grows while a run goes on: the running score. Keeps sums per combination of labels and not the
 * episodes, so it stays as small after 100,000 of them. Same rules as a report's sample, without clusters.
 */
export class LiveSample implements Sample {
  readonly #metrics: Readonly<Record<string, Metric>>
  readonly #groups = new Map<string, Group>()

  constructor(metrics: Readonly<Record<string, Metric>>) {
    this.#metrics = metrics
  }

  add(row: Pick<ScoredRow, 'labels' | 'status' | 'scores'>): void {
    if (!counts(row.status)) return
    const key = JSON.stringify(row.labels)
    let group = this.#groups.get(key)
    if (!group) this.#groups.set(key, (group = { labels: row.labels, failed: 0, metrics: new Map() }))
    const failed = row.status !== 'answered'
    if (failed) group.failed += 1
    for (const [name, value] of Object.entries(row.scores)) {
      let metric = group.metrics.get(name)
      if (!metric) group.metrics.set(name, (metric = { sum: 0, n: 0, failedWithValue: 0 }))
      metric.sum += value
      metric.n += 1
      if (failed) metric.failedWithValue += 1
    }
  }

  mean(metric: string, where?: Readonly<Record<string, string>>): number | null {
    const { sum, n } = this.#total(metric, where)
    return n === 0 ? null : sum / n
  }

  count(metric: string, where?: Readonly<Record<string, string>>): number {
    return this.#total(metric, where).n
  }

  values(label: string): readonly string[] {
    const found = new Set<string>()
    for (const { labels } of this.#groups.values()) if (labels[label] !== undefined) found.add(labels[label])
    return [...found]
  }

  #total(metric: string, where: Readonly<Record<string, string>> = {}): { sum: number; n: number } {
    const wanted = Object.entries(where)
    let sum = 0
    let n = 0
    for (const group of this.#groups.values()) {
      const known = group.metrics.get(metric)
      if (!known || !wanted.every(([label, value]) => group.labels[label] === value)) continue
      sum += known.sum
      n += known.n
      if (this.#metrics[metric]?.failed === 'zero') n += group.failed - known.failedWithValue
    }
    return { sum, n }
  }
}
