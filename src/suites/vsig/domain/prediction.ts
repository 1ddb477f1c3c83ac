/** What a player answered, as data. */
import type { Point } from './points.ts'

export interface Prediction {
  command: string
  points: PredictedPoint[]
  /** Option letters, where they were asked for. */
  options: unknown
  repairs: readonly string[]
}

export interface PredictedPoint {
  /** As written, several points averaged; null when it is none. */
  point: Point | null
  description: string
  /** A moment in milliseconds, a range, or null. */
  time: number | readonly [number, number] | null
}
