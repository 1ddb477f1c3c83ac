/** Ground truth of generations 2 to 4: option letters, and positions in pixels. */
import type { EntryMask, EvalTruth } from '../domain/annotation.ts'
import type { Size } from '../domain/mask.ts'
import { meanOf, pairsOf, type Point } from '../domain/points.ts'
import { publishedPixelHit } from './mask-hit.ts'

/** A slot of generations 3 and 4: uppercase letters are objects, lowercase ones areas. */
export interface OptionSlot {
  choice: string
  isObject: boolean
  points: unknown
  mask: EntryMask | null
  speech: readonly [number, number] | null
  stroke: readonly [number, number] | null
}

function timesOf(begin: number | null | undefined, end: number | null | undefined): readonly [number, number] | null {
  return typeof begin === 'number' && typeof end === 'number' ? [begin, end] : null
}

/** Null if the original rejects the ground truth. */
export function optionSlots(truth: EvalTruth | null): OptionSlot[] | null {
  if (!truth?.answer || truth.answer.length === 0) return null
  return truth.answer.map((answer) => {
    const choice = answer.choice.trim()
    return {
      choice,
      isObject: choice !== choice.toLowerCase(),
      points: answer.points,
      mask: answer.mask ?? null,
      speech: timesOf(answer.asr_begin_time, answer.asr_end_time),
      stroke: timesOf(answer.stroke_begin_time, answer.stroke_end_time),
    }
  })
}

function pixel([x, y]: Point, { width, height }: Size): Point {
  return [Math.trunc((x * width) / 1000), Math.trunc((y * height) / 1000)]
}

/** Objects are hit by mask; areas and objects without a mask by `areaPixels`, regardless of the frame size. */
export function isPixelHit(
  slot: Pick<OptionSlot, 'isObject' | 'points' | 'mask'>,
  point: unknown,
  frame: Size,
  areaPixels: number,
): boolean {
  const predicted = pairsOf(point)
  if (!predicted) return false
  // The original averages nested points first.
  const at = pixel(meanOf(predicted), frame)
  if (slot.isObject && slot.mask) return publishedPixelHit(slot.mask, at[0], at[1], frame)
  const annotated = pairsOf(slot.points)
  if (!annotated) return false
  // Annotated points are [y, x]; each is truncated to a pixel, and so is their mean.
  const [x, y] = meanOf(annotated.map(([py, px]) => pixel([px, py], frame)))
  const distance = Math.sqrt((at[0] - Math.trunc(x)) ** 2 + (at[1] - Math.trunc(y)) ** 2)
  return distance < areaPixels
}

export function sameSequence(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i])
}
