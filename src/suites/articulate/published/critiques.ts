/** Critics' replies as the published code reads them: nothing around the JSON is tolerated, little in it is checked. */
import { isObject, type JsonObject } from '../../../suite.ts'
import { type JointReason, RATINGS } from '../domain/states.ts'
import { isTrue, PYTHON_SPACE, PythonError, pythonInt, pythonJson, strip, typeName } from './python.ts'

const FENCE = new Set('```json')

/** `text.strip().strip('```json').strip()`, which strips any of those characters, then JSON. */
export function publishedReply(text: string): unknown {
  return pythonJson(strip(strip(strip(text, PYTHON_SPACE), FENCE), PYTHON_SPACE))
}

/** The joint critic: the rating is replaced by the one that belongs to the reason. */
export function publishedJointReply(
  text: string,
): JsonObject & { failure_reason: JointReason; realism_rating: number } {
  const parsed = publishedReply(text)
  if (!isObject(parsed)) throw new PythonError('TypeError', 'the reply is not an object')
  const reason = parsed['failure_reason']
  if (!isReason(reason)) {
    const isUnhashable = typeof reason === 'object' && reason !== null
    throw new PythonError(isUnhashable ? 'TypeError' : 'KeyError', `no rating belongs to ${JSON.stringify(reason)}`)
  }
  return { ...parsed, failure_reason: reason, realism_rating: RATINGS[reason] }
}

function isReason(reason: unknown): reason is JointReason {
  return typeof reason === 'string' && Object.hasOwn(RATINGS, reason)
}

/** The link critic's rating as a whole number; anything goes. */
export function publishedLinkScore(parsed: unknown): number {
  if (!isObject(parsed)) throw new PythonError('TypeError', 'the reply is not an object')
  if (!Object.hasOwn(parsed, 'realism_rating')) throw new PythonError('KeyError', 'realism_rating')
  return pythonInt(parsed['realism_rating'])
}

export interface PublishedEvaluation {
  position_score: number
  joint_score: number
  overall_score: number
  success: unknown
}

/** The URDF critic's evaluation: details overrule the joint score, `success` is copied. */
export function publishedEvaluation(evaluation: JsonObject): PublishedEvaluation {
  const number = (value: unknown): number => {
    if (typeof value === 'number' || typeof value === 'boolean') return Number(value)
    throw new PythonError('TypeError', `a score is ${typeName(value)}, not a number`)
  }
  const scoreIn = (fields: JsonObject, key: string): number => (Object.hasOwn(fields, key) ? number(fields[key]) : 0)
  const given = evaluation['joint_evaluation_details']
  const details = (Array.isArray(given) ? given : []).map((detail: unknown) => {
    if (isObject(detail)) return detail
    throw new PythonError('AttributeError', `a detail is ${typeName(detail)}, not a dict`)
  })
  if (details.length === 0 && isTrue(given)) throw new PythonError('AttributeError', 'details are not a list')
  const mean = (key: string): number => details.reduce((sum, detail) => sum + scoreIn(detail, key), 0) / details.length
  const joint =
    details.length > 0 ? (mean('type_score') + mean('position_score')) / 2 : scoreIn(evaluation, 'joint_score')
  const position = scoreIn(evaluation, 'link_position_score')
  return {
    position_score: position,
    joint_score: joint,
    overall_score: (position + joint) / 2,
    success: Object.hasOwn(evaluation, 'success') ? evaluation['success'] : false,
  }
}
