/** Ground truth of generations 2 to 4: option letters, and positions in pixels. */
import { truthy } from '../../../suite.ts'
import type { Annotation, EntryMask, EvalTruth } from '../domain/annotation.ts'
import type { Size } from '../domain/mask.ts'
import type { Point } from '../domain/points.ts'
import { mergeSlots, publishedPlaceName, type Slot } from '../domain/templates.ts'
import { publishedHit } from './mask-hit.ts'
import {
  distance,
  isUpper,
  itemAt,
  itemsOf,
  meanPair,
  numberOf,
  orNull,
  PythonError,
  stripped,
  swapped,
  wholeNumber,
} from './python.ts'

/** The slots of generations 0 to 2. A place next to an object must have points, even if they are not used. */
export function annotatedSlots({ task_template, object_space }: Annotation): Slot[] {
  const slots = mergeSlots(task_template, object_space, publishedPlaceName)
  if (slots.some(({ entries, points }) => entries.length === 2 && points === undefined)) {
    throw new PythonError('no points')
  }
  return slots
}

/** A position in pixels, prepared from an annotation; null if it has no points. */
export interface PixelTarget {
  center: Point | null
  /** Absent and null differ: generations 2 and 3 fail on null. */
  mask?: EntryMask | null
}

/** A slot of generations 3 and 4. Uppercase letters are objects, and only those have masks. */
export interface OptionSlot extends PixelTarget {
  choice: string
  speech: readonly [number, number] | null
  stroke: readonly [number, number] | null
}

function timesOf(begin: number | null | undefined, end: number | null | undefined): readonly [number, number] | null {
  return typeof begin === 'number' && typeof end === 'number' ? [begin, end] : null
}

/** Null if the original rejects the ground truth. */
export function optionSlots(truth: EvalTruth | null, frame: Size): OptionSlot[] | null {
  const answers = (truth?.answer ?? []).filter(({ choice }) => choice !== '')
  if (answers.length === 0) return null
  return orNull(() =>
    answers.map((answer): OptionSlot => {
      const { mask } = answer
      return {
        choice: stripped(answer.choice),
        center: centerOf(toPixels(inOrder(answer.points), frame)),
        ...(mask !== undefined && isUpper(answer.choice) ? { mask } : {}),
        speech: timesOf(answer.asr_begin_time, answer.asr_end_time),
        stroke: timesOf(answer.stroke_begin_time, answer.stroke_end_time),
      }
    }),
  )
}

/** Annotated points as `[x, y]`; null if there are none. */
export function inOrder(points: unknown): unknown {
  return truthy(points ?? null) ? swapped(points) : null
}

/** Each point truncated to a pixel. */
export function toPixels(points: unknown, frame: Size): readonly Point[] | Point | null {
  if (points === null) return null
  if (!Array.isArray(itemAt(points, 0))) return pixelOf(itemAt(points, 0), itemAt(points, 1), frame)
  return itemsOf(points).map((point) => pixelOf(itemAt(point, 0), itemAt(point, 1), frame))
}

function pixelOf(x: unknown, y: unknown, { width, height }: Size): Point {
  return [wholeNumber((numberOf(x) * width) / 1000), wholeNumber((numberOf(y) * height) / 1000)]
}

/** The mean, truncated to a pixel. */
export function centerOf(pixels: readonly Point[] | Point | null): Point | null {
  if (pixels === null) return null
  const [x, y] = Array.isArray(pixels[0]) ? meanPair(pixels) : meanPair([pixels])
  return [wholeNumber(x), wholeNumber(y)]
}

/** A predicted point in pixels: several points are averaged, and further numbers ignored. */
export function predictedPixel(point: unknown, frame: Size): Point {
  if (!Array.isArray(itemAt(point, 0))) return pixelOf(itemAt(point, 0), itemAt(point, 1), frame)
  const [x, y] = meanPair(itemsOf(point))
  return pixelOf(x, y, frame)
}

/** Objects with a mask image are hit by mask; all others by `areaPixels`, regardless of the frame size. */
export function isPixelHit({ mask, center }: PixelTarget, pixel: Point, frame: Size, areaPixels: number): boolean {
  if (mask === null) throw new PythonError('the mask is null')
  if (mask !== undefined && truthy(mask.mask_base64 ?? null)) return publishedHit(mask, pixel[0], pixel[1], frame)
  return center !== null && distance(pixel, center) < areaPixels
}

export function sameSequence(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i])
}
