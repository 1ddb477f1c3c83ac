/** The later published generations: option letters instead of a judge. `ecog-v4` is generation 4. */
import { mean } from '../../../base/numbers.ts'
import type { Annotation, Asr, EntryMask, EvalTruth } from '../domain/annotation.ts'
import { publishedPixelHit, type Size } from '../domain/mask.ts'
import { asNumber, meanOf, pairsOf, type Point } from '../domain/points.ts'
import { mergeSlots, publishedPlaceName } from '../domain/templates.ts'
import { publishedScore } from './judge-reply.ts'

export type Generation = 2 | 3 | 4

/** Pixels, whatever the size of the picture. */
const AREA_PIXELS: Readonly<Record<Generation, number>> = { 2: 50, 3: 50, 4: 100 }

export interface LaterPrediction {
  options: string[]
  /** Points in `[x, y]`, 0…1000. */
  points: readonly Record<string, unknown>[]
}

/** A single option may come without its list. */
export function predictedOptions(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()]
  return Array.isArray(value) ? value.map((option) => String(option).trim()) : []
}

/** The slots of generations 3 and 4: an upper-case letter is an object, a lower-case one an area. */
interface LaterSlot {
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
export function laterSlots(truth: EvalTruth | null): LaterSlot[] | null {
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

/** Nested points are averaged before they are used. */
function predictedPixel(point: unknown, frame: Size): Point | null {
  const pairs = pairsOf(point)
  return pairs && pixel(meanOf(pairs), frame)
}

function spatialHit(
  slot: { isObject: boolean; points: unknown; mask: EntryMask | null },
  point: unknown,
  frame: Size,
  generation: Generation,
): boolean {
  const at = predictedPixel(point, frame)
  if (!at) return false
  if (slot.isObject && slot.mask) return publishedPixelHit(slot.mask, at[0], at[1], frame)
  const annotated = pairsOf(slot.points)
  if (!annotated) return false
  // Annotated points are [y, x]; each is cut to a pixel, and so is their mean.
  const [x, y] = meanOf(annotated.map(([py, px]) => pixel([px, py], frame)))
  const distance = Math.sqrt((at[0] - Math.trunc(x)) ** 2 + (at[1] - Math.trunc(y)) ** 2)
  return distance < AREA_PIXELS[generation]
}

function sameSequence(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i])
}

/** Correct letters at their places, over the letters asked for. */
function lettersRight(options: readonly string[], answers: readonly string[]): boolean[] {
  return answers.map((answer, i) => options[i] === answer)
}

export interface Score2 {
  intent: number
  spatial: number
  temporal: number
  match: boolean
}

export function score2(
  annotation: Annotation,
  answers: readonly string[],
  { options, points }: LaterPrediction,
  judge: { reply: unknown } | null,
  frame: Size,
): Score2 {
  const slots = mergeSlots(annotation.task_template, annotation.object_space, publishedPlaceName)
  const hits = slots.map((slot, i) => {
    const target = { isObject: slot.type === 'object', points: slot.points, mask: slot.mask ?? null }
    return Number(spatialHit(target, points[i]?.['point'], frame, 2))
  })
  return {
    intent: mean(lettersRight(options, answers).map(Number), 0),
    spatial: mean(hits, 0),
    temporal: temporal2(annotation.asr_result, points, judge),
    match: answers.length > 0 && sameSequence(options, answers),
  }
}

/** By a judge, or by the overlap with the whole utterance; points without a range are passed over. */
function temporal2(
  asr: Asr | null | undefined,
  points: LaterPrediction['points'],
  judge: { reply: unknown } | null,
): number {
  const words = asr?.words ?? []
  if (!asr?.text || words.length === 0) return 0
  const begin = words[0]!.begin_time ?? 0
  const end = words.at(-1)!.end_time ?? 0
  const scores = points.flatMap(({ timestamp }) => {
    if (!Array.isArray(timestamp) || timestamp.length !== 2) return []
    const from = asNumber(timestamp[0])
    const to = asNumber(timestamp[1])
    if (from === null || to === null) return []
    if (judge) return [Math.min(1, Math.max(0, publishedScore(judge.reply)))]
    return [overlap([from, to], [begin, end])]
  })
  return mean(scores, 0)
}

/** Intersection over union of two spans of time. */
export function overlap(a: readonly [number, number], b: readonly [number, number]): number {
  const shared = Math.max(0, Math.min(a[1], b[1]) - Math.max(a[0], b[0]))
  const union = a[1] - a[0] + (b[1] - b[0]) - shared
  return union > 0 ? shared / union : 0
}

export interface Score3 {
  intent: number
  spatial: number
  temporal: number
  match: boolean
}

export function score3(slots: readonly LaterSlot[], { options, points }: LaterPrediction, frame: Size): Score3 {
  const answers = slots.map(({ choice }) => choice)
  const match = sameSequence(options, answers)
  const times = points.flatMap(({ timestamp }, i) => {
    if (timestamp === null || timestamp === undefined) return []
    const window = slots[i]?.speech
    const at = wholeNumber(timestamp)
    return [window && at !== null && at >= window[0] && at <= window[1] ? 1 : 0]
  })
  return {
    intent: match ? 1 : 0,
    spatial: mean(
      slots.map((slot, i) => Number(spatialHit(slot, points[i]?.['point'], frame, 3))),
      0,
    ),
    temporal: mean(times, 0),
    match,
  }
}

/** Cut to a whole number, digits in quotes included. */
function wholeNumber(value: unknown): number | null {
  const number = asNumber(value)
  if (number !== null) return Number.isFinite(number) ? Math.trunc(number) : null
  return typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : null
}

export interface Score4 {
  cls: number
  spatial: number
  temporal: number
  eco: number
  seq: number
  /** For each answer: letter, place and time right. */
  slots: { cls: boolean; spatial: boolean; temporal: boolean }[]
}

export function score4(slots: readonly LaterSlot[], { options, points }: LaterPrediction, frame: Size): Score4 {
  const rows = slots.map((slot, i) => {
    const time = asNumber(points[i]?.['timestamp'])
    const window = slot.stroke
    return {
      cls: options[i] === slot.choice,
      spatial: spatialHit(slot, points[i]?.['point'], frame, 4),
      temporal: window !== null && time !== null && time >= window[0] && time <= window[1],
    }
  })
  const eco = rows.map((row) => Number(row.cls && row.spatial && row.temporal))
  return {
    cls: mean(
      rows.map(({ cls }) => Number(cls)),
      0,
    ),
    spatial: mean(
      rows.map(({ spatial }) => Number(spatial)),
      0,
    ),
    temporal: mean(
      rows.map(({ temporal }) => Number(temporal)),
      0,
    ),
    eco: mean(eco, 0),
    seq: eco.length > 0 && eco.every((right) => right === 1) ? 1 : 0,
    slots: rows,
  }
}
