/** pass@k and pass^k over repeats: does one of k tries succeed, do all k? */
import { counts } from '../store/records.ts'
import { intervalOf, replicates } from './bootstrap.ts'
import type { Metric, ScoredRow } from './means.ts'
import type { Report } from './report.ts'
import type { Summary } from './summary.ts'
import { Table } from './table.ts'

/** Up to this many repeats every k is listed; beyond, powers of two and the last. */
const LIST_ALL = 8
/** A score of 1 that lost a bit in a sum is still a success. */
const ROUNDING = 1e-9

/** The metric that says whether an episode succeeded; null when the suite has none that could. */
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
  how: { seed: number; resamples: number },
): NonNullable<Report['passes']> {
  const samples = new Map<string, { row: ScoredRow; tries: number; successes: number }>()
  let i = 0
  for (const row of rows) {
    if (!counts(row.status)) continue
    const value = table.contribution(metric, i++)
    if (value === null) continue
    const seen = samples.get(row.sample) ?? { row, tries: 0, successes: 0 }
    seen.tries += 1
    if (value >= 1 - ROUNDING) seen.successes += 1
    samples.set(row.sample, seen)
  }
  const ks = listedKs(epochs)
  const sampleRows: ScoredRow[] = []
  for (const { row, tries, successes } of samples.values()) {
    const scores: Record<string, number> = {}
    for (const k of ks) {
      if (k > tries) continue
      scores[`any ${k}`] = passAny(tries, successes, k)
      scores[`all ${k}`] = passAll(tries, successes, k)
    }
    sampleRows.push({ sample: row.sample, epoch: 0, cluster: row.cluster, labels: {}, status: 'answered', scores })
  }
  const sampleTable = new Table(sampleRows, {})
  const names = ks.flatMap((k) => [`any ${k}`, `all ${k}`])
  const drawn =
    sampleTable.clusters.length < 2
      ? new Map<string, number[]>()
      : replicates(sampleTable, (means) => new Map(names.map((name) => [name, means.mean(name)])), {
          ...how,
          purpose: 'passes',
        })
  const interval = (name: string) => intervalOf(drawn.get(name), sampleTable.clusters.length, how.resamples).interval
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

/** Unbiased estimate of "at least one of k succeeds" from n tries with c successes: 1 − C(n−c, k) / C(n, k). */
export function passAny(n: number, c: number, k: number): number {
  let noneOfThem = 1
  for (let i = 0; i < k; i++) noneOfThem *= Math.max(0, n - c - i) / (n - i)
  return 1 - noneOfThem
}

/** Unbiased estimate of "all k succeed": C(c, k) / C(n, k). */
export function passAll(n: number, c: number, k: number): number {
  let allOfThem = 1
  for (let i = 0; i < k; i++) allOfThem *= Math.max(0, c - i) / (n - i)
  return allOfThem
}

function listedKs(epochs: number): number[] {
  if (epochs <= LIST_ALL) return Array.from({ length: epochs }, (_, i) => i + 1)
  const ks = []
  for (let k = 1; k < epochs; k *= 2) ks.push(k)
  return [...ks, epochs]
}
