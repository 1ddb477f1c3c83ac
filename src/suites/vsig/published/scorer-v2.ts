/** Profile `upstream-v2`: option letters instead of judged commands, positions in pixels, moments by overlap or judge. */
import { mean, type Scores } from '../../../suite.ts'
import type { Annotation, Asr } from '../domain/annotation.ts'
import type { Size } from '../domain/mask.ts'
import { pairOf } from '../domain/points.ts'
import { mergeSlots, publishedPlaceName } from '../domain/templates.ts'
import { overlap } from '../domain/windows.ts'
import { publishedScore } from './judge-reply.ts'
import type { OptionPrediction } from './reply.ts'
import { isPixelHit, sameSequence } from './slots.ts'

const AREA_PIXELS = 50

export interface ScoreV2 {
  /** Share of expected letters that are correct in position. */
  intent: number
  spatial: number
  temporal: number
  /** Whether the letters are exactly the expected ones. */
  match: boolean
}

/** `judged`: the judge's score of each point's moment; null without a judge. */
export function scoreV2(
  annotation: Annotation,
  answers: readonly string[],
  { options, points }: OptionPrediction,
  judged: readonly unknown[] | null,
  frame: Size,
): ScoreV2 {
  const slots = mergeSlots(annotation.task_template, annotation.object_space, publishedPlaceName)
  const hits = slots.map((slot, i) => {
    const target = { isObject: slot.type === 'object', points: slot.points, mask: slot.mask ?? null }
    return Number(isPixelHit(target, points[i]?.['point'], frame, AREA_PIXELS))
  })
  const right = answers.map((answer, i) => Number(options[i] === answer))
  return {
    intent: mean(right, 0),
    spatial: mean(hits, 0),
    temporal: temporalScore(annotation.asr_result, points, judged),
    match: answers.length > 0 && sameSequence(options, answers),
  }
}

/** By judge, or by overlap with the whole utterance; points without a range are skipped. */
function temporalScore(
  asr: Asr | null | undefined,
  points: OptionPrediction['points'],
  judged: readonly unknown[] | null,
): number {
  const words = asr?.words ?? []
  if (!asr?.text || words.length === 0) return 0
  const utterance = [words[0]!.begin_time ?? 0, words.at(-1)!.end_time ?? 0] as const
  const scores = points.flatMap(({ timestamp }, i) => {
    const range = pairOf(timestamp)
    if (!range) return []
    return judged ? Math.min(1, Math.max(0, publishedScore(judged[i]))) : overlap(range, utterance)
  })
  return mean(scores, 0)
}

/** The published table excludes clips with a temporal score of 0 from the temporal mean. */
export function metricsV2({ intent, spatial, temporal, match }: ScoreV2): Scores {
  return {
    'v2.intent': intent,
    'v2.match': Number(match),
    'v2.spatial': spatial,
    ...(temporal > 0 ? { 'v2.temporal': temporal } : {}),
  }
}
