/** The player's parsed answer. */
import type { Point } from './points.ts'

export interface Prediction {
  command: string
  points: PredictedPoint[]
  /** Option letters, if they were asked for. */
  options: unknown
  repairs: readonly string[]
}

export interface PredictedPoint {
  /** As written, averaged if there are several; null if it is not a point. */
  point: Point | null
  description: string
  /** A moment in milliseconds, a range, or null. */
  time: number | readonly [number, number] | null
}
