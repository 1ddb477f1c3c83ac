/** Profile `upstream-v1`: the scorer that the published figures come from, its faults included. */
import type { Annotation } from '../domain/annotation.ts'
import { publishedHit, type Size } from '../domain/mask.ts'
import { distanceToMean, pairOf } from '../domain/points.ts'
import { mergeSlots, publishedPlaceName, type Slot } from '../domain/templates.ts'
import { publishedScore, publishedTemporal, zeros } from './judge-reply.ts'
import type { PublishedPrediction } from './reply.ts'

/** Units of 0…1000; a wide picture makes it 96 pixels across and 54 down. */
export const AREA_UNITS = 50
/** What the original assumes where it cannot open the video. */
export const ASSUMED_FRAME: Size = { width: 1920, height: 1080 }
const NO_JUDGE_INTENT = 0.5

/** What a judge said, or that it failed; null when none is configured. */
export interface JudgeReplies {
  intent: unknown
  temporal: unknown
  intentFailed?: boolean
  temporalFailed?: boolean
}

export interface UpstreamScore {
  outcome: 'scored' | 'eval_exception'
  intent: number
  /** One a slot; empty after an exception, so that its slots leave the denominator. */
  spatial: number[]
  /** As the judge gave them; null when not measured. */
  temporal: unknown[] | null
}

class ScorerException extends Error {}

export function scoreUpstream1(
  annotation: Annotation,
  prediction: PublishedPrediction,
  judge: JudgeReplies | null,
  frame: Size = ASSUMED_FRAME,
): UpstreamScore {
  const slots = mergeSlots(annotation.task_template, annotation.object_space, publishedPlaceName)
  const points = prediction.points ?? []
  try {
    const intent = judge === null ? NO_JUDGE_INTENT : judge.intentFailed === true ? 0 : publishedScore(judge.intent)
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
  if (judge === null) return []
  return judge.temporalFailed === true ? zeros(points) : publishedTemporal(judge.temporal, points)
}
