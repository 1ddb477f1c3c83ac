/** pass@k and pass^k over epochs: the probability that at least one, or all, of k attempts succeed. */
import { counts } from '../store/records.ts'
import { intervalOf, replicates } from './bootstrap.ts'
import type { Metric, ScoredRow } from './means.ts'
import type { Report } from './report.ts'
import type { Summary } from './summary.ts'
import { Table } from './table.ts'

/** Up to this many epochs every k is listed; above, powers of two and the last. */
const MAX_FULL_LIST = 8
/** Tolerance for a score of 1 with rounding errors. */
const ROUNDING = 1e-9

/** The metric that defines success; null if the suite has none. */
export function successMetric(summary: Summary, metrics: Readonly<Record<string, Metric>>): string | null {
  if (summary.success !== undefined) return summary.success
  if (Object.hasOwn(metrics, summary.headline)) return summary.headline
  const first = Object.entries(metrics).find(
    ([, metric]) => metric.unit === 'percent' && metric.better === 'higher' && metric.failed === 'zero',
  )
  return first?.[0] ?? null
}

export function passesOf(
  rows: readonly ScoredRow[],
  table: Table,
  metric: string,
  epochs: number,
  resampling: { seed: number; resamples: number },
): NonNullable<Report['passes']> {
  const samples = new Map<string, { row: ScoredRow; attempts: number; successes: number }>()
  let i = 0
  for (const row of rows) {
    if (!counts(row.status)) continue
    const value = table.contribution(metric, i++)
    if (value === null) continue
    const seen = samples.get(row.sample) ?? { row, attempts: 0, successes: 0 }
    seen.attempts += 1
    if (value >= 1 - ROUNDING) seen.successes += 1
    samples.set(row.sample, seen)
  }
  const ks = listedKs(epochs)
  const sampleRows: ScoredRow[] = []
  for (const { row, attempts, successes } of samples.values()) {
    const scores: Record<string, number> = {}
    for (const k of ks) {
      if (k > attempts) continue
      scores[`any ${k}`] = passAny(attempts, successes, k)
      scores[`all ${k}`] = passAll(attempts, successes, k)
    }
    sampleRows.push({ sample: row.sample, epoch: 0, cluster: row.cluster, labels: {}, status: 'answered', scores })
  }
  const sampleTable = new Table(sampleRows, {})
  const names = ks.flatMap((k) => [`any ${k}`, `all ${k}`])
  const drawn =
    sampleTable.clusters.length < 2
      ? new Map<string, number[]>()
      : replicates(sampleTable, (means) => new Map(names.map((name) => [name, means.mean(name)])), {
          ...resampling,
          purpose: 'passes',
        })
  const interval = (name: string) =>
    intervalOf(drawn.get(name), sampleTable.clusters.length, resampling.resamples).interval
  return {
    metric,
    rows: ks.map((k) => ({
      k,
      samples: sampleTable.count(`any ${k}`),
      any: sampleTable.mean(`any ${k}`),
      anyInterval: interval(`any ${k}`),
      all: sampleTable.mean(`all ${k}`),
      allInterval: interval(`all ${k}`),
    })),
  }
}

/** Unbiased estimate of "at least one of k succeeds" from n attempts with c successes: 1 − C(n−c, k) / C(n, k). */
export function passAny(n: number, c: number, k: number): number {
  let noneSucceed = 1
  for (let i = 0; i < k; i++) noneSucceed *= Math.max(0, n - c - i) / (n - i)
  return 1 - noneSucceed
}

/** Unbiased estimate of "all k succeed": C(c, k) / C(n, k). */
export function passAll(n: number, c: number, k: number): number {
  let allSucceed = 1
  for (let i = 0; i < k; i++) allSucceed *= Math.max(0, c - i) / (n - i)
  return allSucceed
}

function listedKs(epochs: number): number[] {
  if (epochs <= MAX_FULL_LIST) return Array.from({ length: epochs }, (_, i) => i + 1)
  const ks = []
  for (let k = 1; k < epochs; k *= 2) ks.push(k)
  return [...ks, epochs]
}
