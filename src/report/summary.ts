/** The table of a suite, before confidence intervals are added. */

export interface SummaryRow {
  /** Stable key, unique in the summary: `dir`, `overall`, `map.position`. */
  key: string
  title: string
  value: number | null
  /** Number of episodes in the value. */
  n: number
  /** How to print it: a fraction as 0–100, or a plain number (steps, meters, dollars). */
  unit: 'percent' | 'number'
  better: 'higher' | 'lower'
  /** Score of random guessing on the same samples; printed next to the value. */
  chance?: number | null
  /** Score of the best constant answer on the same samples. */
  constant?: number | null
  /** Score of answering from the question text alone, on the same samples. */
  blind?: number | null
  /** Score of a perfect player, if below the top of the scale. */
  ceiling?: number | null
  /** Section heading; rows without one come first. */
  section?: string
  /** Place in the matrix that the rows of its section form; drawn as a heat map. */
  cell?: { row: string; column: string }
  /** A footnote with a caveat. */
  note?: string
}

export interface Summary {
  /** Key of the main score of the run. */
  headline: string
  rows: readonly SummaryRow[]
  /**
   * The metric that defines success for pass@k (1 or more). Default: the metric with the headline's key, or else the
   * suite's first percentage where higher is better and failures count as 0.
   */
  success?: string
}
