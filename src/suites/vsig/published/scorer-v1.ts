/** Profile `upstream-v1`: the scorer behind the published figures, bugs included. */
import type { JsonObject, Scores } from '../../../suite.ts'
import type { Annotation } from '../domain/annotation.ts'
import { AREA_UNITS } from '../domain/compare.ts'
import type { Size } from '../domain/mask.ts'
import { asNumber, distanceToMean, pairOf } from '../domain/points.ts'
import { mergeSlots, publishedPlaceName, type Slot } from '../domain/templates.ts'
import { publishedScore, publishedTemporal } from './judge-reply.ts'
import { publishedHit } from './mask-hit.ts'

const NO_JUDGE_INTENT = 0.5

/** Parsed judge replies; null if unreadable. */
export interface JudgeReplies {
  intent: unknown
  temporal: unknown
}

export interface ScoreV1 {
  outcome: 'scored' | 'eval_exception'
  intent: number
  /** One per slot; empty after an exception, which removes the clip's slots from the denominator. */
  spatial: number[]
  /** As given by the judge; null if not measured. */
  temporal: unknown[] | null
}

class ScorerException extends Error {}

/** `judge` is null if none is configured. */
export function scoreV1(
  annotation: Annotation,
  points: readonly JsonObject[],
  judge: JudgeReplies | null,
  frame: Size,
): ScoreV1 {
  const slots = mergeSlots(annotation.task_template, annotation.object_space, publishedPlaceName)
  try {
    const intent = judge === null ? NO_JUDGE_INTENT : publishedScore(judge.intent)
    const spatial = slots.map((slot, i) => spatialScore(slot, points[i]?.['point'], frame))
    return { outcome: 'scored', intent, spatial, temporal: temporalScores(annotation, points.length, judge) }
  } catch (error) {
    if (!(error instanceof ScorerException)) throw error
    return { outcome: 'eval_exception', intent: 0, spatial: [], temporal: null }
  }
}

function isFalsy(value: unknown): boolean {
  return (
    !value ||
    (Array.isArray(value) && value.length === 0) ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  )
}

function spatialScore(slot: Slot, point: unknown, frame: Size): number {
  if (isFalsy(point)) return 0
  const pair = pairOf(point)
  if (slot.type === 'object' && slot.mask !== undefined) {
    if (slot.mask === null) throw new ScorerException('mask is null')
    return pair && publishedHit(slot.mask, pair[1], pair[0], frame) ? 1 : 0
  }
  if (!pair) throw new ScorerException('not a point')
  return distanceToMean(pair, slot.points) < AREA_UNITS ? 1 : 0
}

function temporalScores({ asr_result: asr }: Annotation, points: number, judge: JudgeReplies | null): unknown[] | null {
  if (!asr?.text) return null
  return judge === null ? [] : publishedTemporal(judge.temporal, points)
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Sums and counts, because the published table pools slots and moments over clips. */
export function metricsV1({ intent, spatial, temporal }: Omit<ScoreV1, 'outcome'>): Scores {
  const given = temporal ?? []
  const moments = given.flatMap((value) => asNumber(value) ?? [])
  return {
    'v1.intent': intent,
    'v1.hits': sum(spatial),
    'v1.slots': spatial.length,
    'v1.moments': sum(moments),
    'v1.windows': moments.length,
    ...(moments.length < given.length ? { 'v1.text': given.length - moments.length } : {}),
  }
}
