import type { Status } from '../store/records.ts'

/**
 * A set of scored episodes, seen only through means.
 *
 * A suite writes its table once, as a function of `Means`. The report runs it on all episodes for the values, and
 * again on every bootstrap replicate for the intervals, so that composite scores get honest intervals too. Because only
 * means are handed out, a replicate costs work per cluster and not per episode.
 */
export interface Means {
  /**
   * Mean of a metric over the episodes that have it (failed episodes as the metric's `failed` rule says); `null` when
   * there is none.
   */
  mean(metric: string, where?: Readonly<Record<string, string>>): number | null
  /** Episodes behind `mean` of the same arguments; in a replicate, as often as they were drawn. */
  count(metric: string, where?: Readonly<Record<string, string>>): number
  /** All values of a label, in order of first appearance: which question types are there. */
  values(label: string): readonly string[]
  /** Names of all labels, and of all metrics that an episode has a value for. */
  labels(): readonly string[]
  metrics(): readonly string[]
}

/** What a suite says about one of its metrics. */
export interface Metric {
  title: string
  better: 'higher' | 'lower'
  unit: 'percent' | 'number'
  /**
   * What a failed episode (`no_answer`, `parse_failed`, `model_error`) contributes when it has no value of its own.
   * `zero` for scores; `leave-out` for costs and other quantities where 0 would flatter.
   */
  failed: 'zero' | 'leave-out'
  /**
   * Which cases have this metric, by their labels. Only asked for failed episodes without a value of their own; without
   * it the other episodes tell (see denominator.ts).
   */
  appliesTo?(labels: Readonly<Record<string, string>>): boolean
}

/** An episode as the report sees it. */
export interface ScoredRow {
  sample: string
  epoch: number
  cluster: string
  labels: Readonly<Record<string, string>>
  status: Status
  scores: Readonly<Record<string, number>>
}
