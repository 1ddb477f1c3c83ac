/** The score that a run records for an answer. */
import { pythonFloat } from '../../../suite.ts'
import type { Profile } from '../domain/protocol.ts'
import { isChoiceType, isNumberType } from '../domain/question-types.ts'
import { isRaised, publishedScore, type Scored } from '../published/evaluators.ts'
import { lmmsNumber, officialToken } from '../published/extract.ts'
import { withinLimits } from '../published/mra.ts'
import { vlmevalkitLetter, vlmevalkitNumber } from '../published/vlmevalkit.ts'

/**
 * The published score, but without exceptions: no answer scores 0, the error is relative to |truth|, and a ground truth
 * of 0 requires an answer of 0.
 */
export function safeScore(profile: Profile, row: Scored): number {
  if (row.prediction === null) return 0
  const target = row.truth === null ? null : pythonFloat(row.truth)
  if (isNumberType(row.type) && target !== null && target <= 0) {
    const answer = numberOf(profile, row.prediction)
    return answer === null ? 0 : meanRelativeAccuracy(answer, target)
  }
  // VLMEvalKit treats a reply and a ground truth that both have no letter as equal.
  if (profile === 'vlmevalkit' && isChoiceType(row.type) && vlmevalkitLetter(row.prediction) === null) return 0
  const score = publishedScore(profile, row)
  return typeof score === 'number' ? score : 0
}

function numberOf(profile: Profile, prediction: string): number | null {
  switch (profile) {
    case 'official':
    case 'lmms-eval@2026-06':
      return pythonFloat(officialToken(prediction))
    case 'lmms-eval': {
      const answer = lmmsNumber(prediction)
      return isRaised(answer) ? null : answer
    }
    case 'vlmevalkit':
      return vlmevalkitNumber(prediction)
    case 'upstream':
      return pythonFloat(prediction)
    default:
      return profile satisfies never
  }
}

/**
 * The official score of a number, made safe: the error is relative to |truth|, and a ground truth of 0, by which the
 * published code divides, requires exactly 0.
 */
export function meanRelativeAccuracy(answer: number, truth: number): number {
  if (!Number.isFinite(answer) || !Number.isFinite(truth)) return 0
  if (truth === 0) return answer === 0 ? 1 : 0
  return withinLimits(Math.abs(answer - truth) / Math.abs(truth))
}
