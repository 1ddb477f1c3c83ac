import type { Status } from '../store/records.ts'

/**
 * A set of scored episodes, accessible only through means.
 *
 * A suite defines its table once, as a function of `Means`. The report calls it with all episodes for the values, and
 * with every bootstrap replicate for the confidence intervals, which therefore cover composite scores too. Because only
 * means are exposed, a replicate costs work per cluster, not per episode.
 */
export interface Means {
  /**
   * Mean of a metric over the episodes that have it, with failed episodes counted by the metric's `failed` rule; `null`
   * if there are none.
   */
  mean(metric: string, where?: Readonly<Record<string, string>>): number | null
  /** Number of episodes in `mean` with the same arguments; in a replicate, weighted by how often they were drawn. */
  count(metric: string, where?: Readonly<Record<string, string>>): number
  /**
   * The share of clusters in which every episode has the full value, and their number: for questions that are asked in
   * several versions. The live score of a run, which knows no clusters, has none.
   */
  whole(metric: string, where?: Readonly<Record<string, string>>): { value: number | null; n: number }
  /** All values of a label, in order of first appearance; for example, the question types. */
  values(label: string): readonly string[]
  /** Names of all labels. */
  labels(): readonly string[]
  /** Names of all metrics with at least one value. */
  metrics(): readonly string[]
}

/** Definition of a metric. */
export interface Metric {
  title: string
  better: 'higher' | 'lower'
  unit: 'percent' | 'number'
  /**
   * How a failed episode (`no_answer`, `parse_failed`, `model_error`) without a value counts: `zero` for scores,
   * `leave-out` for costs and other quantities where 0 would look good.
   */
  failed: 'zero' | 'leave-out'
  /**
   * Whether samples with these labels have this metric. Only used for failed episodes without a value; by default it is
   * inferred from the other episodes (see denominator.ts).
   */
  appliesTo?(labels: Readonly<Record<string, string>>): boolean
}

/** The part of an episode that a report uses. */
export interface ScoredRow {
  sample: string
  epoch: number
  cluster: string
  labels: Readonly<Record<string, string>>
  status: Status
  scores: Readonly<Record<string, number>>
}
