/** What generations 2 to 4 score by: option letters, and places in pixels. */
import type { EntryMask, EvalTruth } from '../domain/annotation.ts'
import type { Size } from '../domain/mask.ts'
import { meanOf, pairsOf, type Point } from '../domain/points.ts'
import { publishedPixelHit } from './mask-hit.ts'

/** The slots of generations 3 and 4: an upper-case letter is an object, a lower-case one an area. */
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

/** Null when the original refuses the ground truth. */
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

/** An object by its mask; an area, and an object without one, by `areaPixels`, whatever the size of the picture. */
export function isPixelHit(
  slot: Pick<OptionSlot, 'isObject' | 'points' | 'mask'>,
  point: unknown,
  frame: Size,
  areaPixels: number,
): boolean {
  const predicted = pairsOf(point)
  if (!predicted) return false
  // Nested points are averaged before they are used.
  const at = pixel(meanOf(predicted), frame)
  if (slot.isObject && slot.mask) return publishedPixelHit(slot.mask, at[0], at[1], frame)
  const annotated = pairsOf(slot.points)
  if (!annotated) return false
  // Annotated points are [y, x]; each is cut to a pixel, and so is their mean.
  const [x, y] = meanOf(annotated.map(([py, px]) => pixel([px, py], frame)))
  const distance = Math.sqrt((at[0] - Math.trunc(x)) ** 2 + (at[1] - Math.trunc(y)) ** 2)
  return distance < areaPixels
}

export function sameSequence(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i])
}
