/** The published evaluators, bugs and exceptions included. */
import { pythonFloat } from '../../../suite.ts'
import type { Profile } from '../domain/protocol.ts'
import { isChoiceType, isNumberType } from '../domain/question-types.ts'
import { lmmsNumber, officialToken } from './extract.ts'
import { belowLimits, withinLimits } from './mra.ts'
import { vlmevalkitLetter, vlmevalkitNumber } from './vlmevalkit.ts'

/** The exception that ends the published run at this row. */
export interface Raised {
  raises: string
}

/** A score in 0…1, null if the published code records none, or the exception it raises. */
export type Published = number | null | Raised

export interface Scored {
  type: string
  prediction: string | null
  truth: string | null
}

export function isRaised(value: number | null | Raised): value is Raised {
  return typeof value === 'object' && value !== null
}

type Evaluator = (row: Scored) => Published

/** Scores a prediction exactly as a published evaluator does. */
export function publishedScore(profile: Profile, row: Scored): Published {
  return EVALUATORS[profile](row)
}

const EVALUATORS: Readonly<Record<Profile, Evaluator>> = {
  official,
  'lmms-eval': lmmsEval,
  // Before its commit eab6655a, it read numbers as the official code does.
  'lmms-eval@2026-06': official,
  vlmevalkit,
  upstream,
}

function official(row: Scored): Published {
  const { type, prediction, truth } = row
  if (!isNumberType(type)) return letterScore(row)
  return prediction === null ? { raises: 'AttributeError' } : signedScore(pythonFloat(officialToken(prediction)), truth)
}

/** Reads numbers by itself, so a missing one scores 0 where the official code raises. */
function lmmsEval(row: Scored): Published {
  const { type, prediction, truth } = row
  if (!isNumberType(type)) return letterScore(row)
  const answer = prediction === null ? null : lmmsNumber(prediction)
  return isRaised(answer) ? answer : signedScore(answer, truth)
}

function letterScore({ type, prediction, truth }: Scored): Published {
  if (!isChoiceType(type)) return { raises: 'ValueError' }
  if (prediction === null || truth === null) return { raises: 'AttributeError' }
  return officialToken(prediction).toLowerCase() === truth.toLowerCase() ? 1 : 0
}

function signedScore(answer: number | null, truth: string | null): Published {
  const target = truth === null ? null : pythonFloat(truth)
  if (answer === null || target === null) return 0
  if (target === 0) return { raises: 'ZeroDivisionError' }
  // Divides by the signed ground truth: a negative one makes every error negative and every answer right.
  return withinLimits(Math.abs(answer - target) / target)
}

function vlmevalkit({ type, prediction, truth }: Scored): Published {
  if (isChoiceType(type)) {
    // Both sides are parsed the same way; a missing one becomes the text "None", which has no letter.
    return vlmevalkitLetter(prediction ?? 'None') === vlmevalkitLetter(truth ?? 'None') ? 1 : 0
  }
  if (!isNumberType(type)) return { raises: 'ValueError' }
  const answer = prediction === null ? null : vlmevalkitNumber(prediction)
  const target = truth === null ? null : pythonFloat(truth)
  if (answer === null || target === null) return 0
  const error = Math.abs(answer - target)
  return withinLimits(target === 0 ? error : error / Math.abs(target))
}

function upstream({ type, prediction, truth }: Scored): Published {
  if (!isNumberType(type)) return prediction !== null && prediction === truth ? 1 : 0
  if (prediction === null) return null
  const answer = pythonFloat(prediction)
  const target = truth === null ? null : pythonFloat(truth)
  if (answer === null || target === null) return 0
  if (target === 0) return answer === 0 ? 1 : 0
  return belowLimits(Math.abs(answer - target) / Math.abs(target))
}
