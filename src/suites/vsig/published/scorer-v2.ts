/** Profile `upstream-v2`: option letters instead of judged commands, positions in pixels, moments by overlap or judge. */
import { type JsonObject, mean, type Scores, truthy } from '../../../suite.ts'
import type { Annotation, Asr, Word } from '../domain/annotation.ts'
import type { Size } from '../domain/mask.ts'
import { publishedMomentScore } from './judge-reply.ts'
import { field, greater, itemAt, itemsOf, lesser, numberOf, PythonError, sizeOf, stripped, orNull } from './python.ts'
import { predictedOptions, predictedPoints } from './reply.ts'
import {
  annotatedSlots,
  centerOf,
  inOrder,
  isPixelHit,
  type PixelTarget,
  predictedPixel,
  sameSequence,
  toPixels,
} from './slots.ts'

const AREA_PIXELS = 50

export interface ScoreV2 {
  /** Share of expected letters that are correct in position. */
  intent: number
  spatial: number
  temporal: number
  /** Whether the letters are exactly the expected ones. */
  match: boolean
}

/** After an exception. */
const NOTHING: ScoreV2 = { intent: 0, spatial: 0, temporal: 0, match: false }

/** `judged`: the judge's parsed reply about each point's moment; null without a judge. Null: the annotation is rejected. */
export function scoreV2(
  annotation: Annotation,
  answers: readonly string[],
  prediction: JsonObject,
  judged: readonly unknown[] | null,
  frame: Size,
): ScoreV2 | null {
  const targets = orNull(() => pixelTargets(annotation, frame))
  if (!targets) return null
  const scored = orNull((): ScoreV2 => {
    const expected = answers.map(stripped)
    const options = predictedOptions(prediction)
    const points = predictedPoints(prediction)
    return {
      intent: mean(
        expected.map((answer, i) => Number(options[i] === answer)),
        0,
      ),
      spatial: mean(
        targets.map((target, i) => Number(isHit(target, points, i, frame))),
        0,
      ),
      temporal: temporalScore(annotation.asr_result, points, judged),
      match: expected.length > 0 && sameSequence(options, expected),
    }
  })
  return scored ?? NOTHING
}

/** All entries are converted, including those that no slot uses. */
function pixelTargets(annotation: Annotation, frame: Size): PixelTarget[] {
  for (const { points } of annotation.object_space) inOrder(points)
  return annotatedSlots(annotation).map(({ points, mask }): PixelTarget => {
    const center = centerOf(toPixels(inOrder(points), frame))
    return mask === undefined ? { center } : { center, mask }
  })
}

/** Without annotated points even an object with a mask is missed. */
function isHit(target: PixelTarget, points: unknown, i: number, frame: Size): boolean {
  if (i >= sizeOf(points)) return false
  const point = field(itemAt(points, i), 'point')
  if (!truthy(point) || target.center === null) return false
  return isPixelHit(target, predictedPixel(point, frame), frame, AREA_PIXELS)
}

/** By judge, or by overlap with the whole utterance. Points without a moment are skipped; other moments are wrong. */
function temporalScore(asr: Asr | null | undefined, points: unknown, judged: readonly unknown[] | null): number {
  const words = asr?.words ?? []
  if (!asr?.text || words.length === 0) return 0
  const scores = itemsOf(points).flatMap((item, i) => {
    const range = field(item, 'timestamp')
    if (range === null) return []
    if (!Array.isArray(range) || range.length !== 2) return 0
    return (judged && publishedMomentScore(judged[i])) ?? overlapWith(words, range)
  })
  return mean(scores, 0)
}

function overlapWith(words: readonly Word[], range: readonly unknown[]): number {
  const [from, to] = [numberOf(range[0]), numberOf(range[1])]
  const begin = Math.min(...words.map(({ begin_time }) => timeOf(begin_time)))
  const end = Math.max(...words.map(({ end_time }) => timeOf(end_time)))
  const shared = greater(0, lesser(to, end) - greater(from, begin))
  const union = greater(to, end) - lesser(from, begin)
  return union > 0 ? shared / union : 0
}

/** A missing time is 0; null is an error. */
function timeOf(time: number | null | undefined): number {
  if (time === null) throw new PythonError('no time')
  return time ?? 0
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
