/** What tables are made of: shares with what they are shares of, and the published mean of the dimensions. */
import type { Means, Metric, SummaryRow } from '../../../suite.ts'

export type Labels = Readonly<Record<string, string>>

export const percentMetric = (title: string, more: Partial<Metric> = {}): Metric => ({
  title,
  better: 'higher',
  unit: 'percent',
  failed: 'zero',
  ...more,
})

export const numberMetric = (title: string, better: 'higher' | 'lower' = 'lower'): Metric => ({
  title,
  better,
  unit: 'number',
  failed: 'leave-out',
})

/** A ratio with what it is made of. */
export interface Ratio {
  hits: number
  of: number
}

export const ratio = ({ hits, of }: Ratio): number | null => (of === 0 ? null : hits / of)
export const countText = ({ hits, of }: Ratio, things: string): string =>
  `${Math.round(hits * 100) / 100} of ${of} ${things}`

/** The mean of a metric as a row; none where it was not measured. */
export function metricRow(means: Means, key: string, metric: Metric, more: Partial<SummaryRow> = {}): SummaryRow[] {
  const n = means.count(key)
  const { title, unit, better } = metric
  return n === 0 ? [] : [{ key, title, value: means.mean(key), n, unit, better, ...more }]
}

/** The published rule divides by two instead of three when the temporal mean is 0, measured or not. */
export function publishedOverall(intent: number, spatial: number, temporal: number): number {
  return temporal > 0 ? (intent + spatial + temporal) / 3 : (intent + spatial) / 2
}
