/** Building blocks of the tables: metrics, ratios with their counts, and the published overall score. */
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

/** A ratio as its numerator and denominator. */
export interface Ratio {
  hits: number
  of: number
}

export const ratio = ({ hits, of }: Ratio): number | null => (of === 0 ? null : hits / of)
/** For example `7 of 13 slots`; `plural` starts with a plural noun. */
export const countText = ({ hits, of }: Ratio, plural: string): string =>
  `${Math.round(hits * 100) / 100} of ${of} ${of === 1 ? plural.replace(/s\b/, '') : plural}`

/** The mean of a metric as a row; empty if it was not measured. */
export function metricRow(means: Means, key: string, metric: Metric, more: Partial<SummaryRow> = {}): SummaryRow[] {
  const n = means.count(key)
  const { title, unit, better } = metric
  return n === 0 ? [] : [{ key, title, value: means.mean(key), n, unit, better, ...more }]
}

/** The published rule divides by two instead of three if the temporal mean is 0, whether measured or not. */
export function publishedOverall(intent: number, spatial: number, temporal: number): number {
  return temporal > 0 ? (intent + spatial + temporal) / 3 : (intent + spatial) / 2
}
