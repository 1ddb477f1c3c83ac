/** The table of a suite, before intervals. */

export interface SummaryRow {
  /** Stable name, unique in the summary: `dir`, `overall`, `map.position`. */
  key: string
  title: string
  value: number | null
  /** Cases behind the value. */
  n: number
  /** How to print it: a share of 1 as 0–100, or a plain number (steps, metres, dollars). */
  unit: 'percent' | 'number'
  better: 'higher' | 'lower'
  /** What an answer without looking gets on the same cases; printed beside the value. */
  chance?: number | null
  /** What the best single constant answer gets on the same cases. */
  constant?: number | null
  /** What an answer from the words of the question alone gets on the same cases. */
  blind?: number | null
  /** What a perfect player can get, where that is below the top of the scale. */
  ceiling?: number | null
  /** Section heading this row stands under; rows without one come first. */
  section?: string
  /** A footnote: what this number does not say. */
  note?: string
}

export interface Summary {
  /** Key of the row that stands for the whole run. */
  headline: string
  rows: readonly SummaryRow[]
  /**
   * The metric that says whether one episode succeeded (1 or more), for pass@k. Default: the metric named like the
   * headline, else the suite's first share-of-one metric that counts failures as 0.
   */
  success?: string
}
