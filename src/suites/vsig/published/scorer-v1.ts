/**
 * Profiles `upstream-v0` and `upstream-v1`: the scorer of the first commit and its first correction, bugs included. The
 * first one reads points as `[y, x]`, although its prompt asks for `[x, y]`, and boxes as `[y1, x1, y2, x2]`.
 */
import { type JsonObject, type Scores, truthy } from '../../../suite.ts'
import type { Annotation } from '../domain/annotation.ts'
import { AREA_UNITS } from '../domain/compare.ts'
import type { Size } from '../domain/mask.ts'
import { asNumber, pairOf } from '../domain/points.ts'
import type { Slot } from '../domain/templates.ts'
import { publishedScore, publishedTemporal } from './judge-reply.ts'
import { publishedHit } from './mask-hit.ts'
import { distance, field, itemAt, itemsOf, meanPair, numberPair, PythonError, sizeOf } from './python.ts'
import { predictedPoints, withSwappedPoints } from './reply.ts'
import { annotatedSlots } from './slots.ts'

const NO_JUDGE_INTENT = 0.5
/** Compared literally: a clip with this transcript is not measured. */
const NO_SPEECH = '无语音'

export type JudgedGeneration = 'v0' | 'v1'

/** Parsed judge replies. */
export interface JudgeReplies {
  intent: unknown
  temporal: unknown
}

export interface ScoreV1 {
  outcome: 'scored' | 'eval_exception'
  intent: number
  /** One per slot; empty after an exception, which removes the clip's slots from the denominator. */
  spatial: number[]
  /** As given by the judge, in whatever form; null if not measured. */
  temporal: unknown
}

/** The prediction that reaches the scorer, with points in its order; null if the reply is dropped. */
export function predictionV1(value: JsonObject, generation: JudgedGeneration): JsonObject | null {
  if (generation === 'v0') return value
  try {
    return withSwappedPoints(value)
  } catch (error) {
    if (error instanceof PythonError) return null
    throw error
  }
}

/** `judge` is null if none is configured. */
export function scoreV1(
  annotation: Annotation,
  prediction: JsonObject,
  judge: JudgeReplies | null,
  frame: Size,
  generation: JudgedGeneration = 'v1',
): ScoreV1 {
  const points = predictedPoints(prediction)
  try {
    const slots = annotatedSlots(annotation)
    const intent = judge === null ? NO_JUDGE_INTENT : publishedScore(judge.intent)
    const temporal = temporalScores(annotation, points, judge)
    const spatial = slots.map((slot, i) => spatialScore(slot, points, i, frame, generation))
    return { outcome: 'scored', intent, spatial, temporal }
  } catch (error) {
    if (!(error instanceof PythonError)) throw error
    return { outcome: 'eval_exception', intent: 0, spatial: [], temporal: null }
  }
}

function spatialScore(slot: Slot, points: unknown, i: number, frame: Size, generation: JudgedGeneration): number {
  if (i >= sizeOf(points)) return 0
  const point = field(itemAt(points, i), 'point')
  if (!truthy(point)) return 0
  if (slot.type === 'object' && slot.mask !== undefined) {
    if (slot.mask === null) throw new PythonError('the mask is null')
    const pair = pairOf(point)
    if (!pair) return 0
    const [px, py] = [Math.trunc((pair[1] * frame.width) / 1000), Math.trunc((pair[0] * frame.height) / 1000)]
    return Number(publishedHit(slot.mask, px, py, frame, generation === 'v0'))
  }
  return Number(distanceToPoints(point, slot.points) < AREA_UNITS)
}

/** Distance to the mean of the annotated points, which are `[y, x]` in 0…1000. */
export function distanceToPoints(point: unknown, annotated: unknown): number {
  if (annotated === undefined) throw new PythonError('no points')
  if (annotated === null) return Infinity
  const to = Array.isArray(itemAt(annotated, 0)) ? meanPair(itemsOf(annotated)) : numberPair(annotated)
  return distance(numberPair(point), to)
}

function temporalScores({ asr_result: asr }: Annotation, points: unknown, judge: JudgeReplies | null): unknown {
  if (!asr?.text) return null
  if (judge === null || asr.text === NO_SPEECH) return []
  // The question to the judge quotes every point, so each must be an object.
  for (const item of itemsOf(points)) field(item, 'description')
  return publishedTemporal(judge.temporal, sizeOf(points))
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/**
 * Sums and counts, because the published table pools slots and moments over clips. Scores that the original cannot add
 * are counted under `text`: they make its table fail.
 */
export function metricsV1(
  { intent, spatial, temporal }: Omit<ScoreV1, 'outcome'>,
  generation: JudgedGeneration = 'v1',
): Scores {
  const given = temporal === null ? [] : Array.isArray(temporal) ? temporal : momentsIn(temporal)
  const moments = given.flatMap((value) => asNumber(value) ?? Number.NaN)
  const unusable = [intent, ...moments].filter((value) => !Number.isFinite(value)).length
  const usable = moments.filter(Number.isFinite)
  return {
    [`${generation}.intent`]: Number.isFinite(intent) ? intent : 0,
    [`${generation}.hits`]: sum(spatial),
    [`${generation}.slots`]: spatial.length,
    [`${generation}.moments`]: sum(usable),
    [`${generation}.windows`]: usable.length,
    ...(unusable > 0 ? { [`${generation}.text`]: unusable } : {}),
  }
}

/** Something else than a list of scores: its characters or keys are no numbers, and a number has no items. */
function momentsIn(value: unknown): unknown[] {
  try {
    return itemsOf(value)
  } catch (error) {
    if (error instanceof PythonError) return [Number.NaN]
    throw error
  }
}
