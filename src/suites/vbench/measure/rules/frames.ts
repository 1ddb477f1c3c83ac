/** Which of `length` frames stand for a clip: the middle of each of `count` equal parts; the last repeated if short. */
import { type Bitmap, mean, roundHalfEven } from '../../../../suite.ts'
import type { Dimension } from '../../domain/dimensions.ts'
import { nothing, valued } from '../../domain/results.ts'
import type { Meter } from '../types.ts'

export function middleFrames(count: number, length: number): number[] {
  const parts = Math.min(count, length)
  const indices: number[] = []
  for (let k = 0; k < parts; k++) {
    const start = Math.trunc((k * length) / parts)
    const end = Math.trunc(((k + 1) * length) / parts)
    indices.push(Math.floor((start + end - 1) / 2))
  }
  const last = indices.at(-1)
  return last === undefined ? [] : Array.from({ length: count }, (_, k) => indices[k] ?? last)
}

/** The published evaluator looks at about eight frames per second when it measures motion. */
const MOTION_FPS = 8

/** Every how many-th frame is kept for dynamic degree. */
export function frameInterval(fps: number): number {
  return Math.max(1, roundHalfEven(fps / MOTION_FPS))
}

/** From mean absolute differences of frames (0…255) to a score, 1 for none; null without frames to compare. */
export function likeness(differences: readonly number[]): number | null {
  return differences.length === 0 ? null : (255 - mean(differences)) / 255
}

export function meanOverFrames(dimension: Dimension, scoreOf: (bitmap: Bitmap) => number | Promise<number>): Meter {
  let sum = 0
  let frames = 0
  return {
    async frame(bitmap) {
      sum += await scoreOf(bitmap)
      frames++
    },
    end: () => ({ [dimension]: frames === 0 ? nothing('no frame') : valued(sum / frames) }),
  }
}
