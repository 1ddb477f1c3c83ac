/** Critics' replies as the published code reads them: nothing around the JSON is tolerated, little in it is checked. */
import { roundHalfEven } from '../../../base/python/float.ts'
import { isObject, type JsonObject } from '../../../base/json-object.ts'
import { type JointReason, RATINGS } from '../metrics/joint-state.ts'
import { PythonError, pythonInt, pythonJson } from '../python.ts'

/** `text.strip().strip('```json')`, which strips any of those characters, then JSON. */
export function publishedReply(text: string): unknown {
  return pythonJson(
    text
      .trim()
      .replace(/^[`json]+/, '')
      .replace(/[`json]+$/, ''),
  )
}

/** The joint critic: the rating is replaced by the one that belongs to the reason. */
export function publishedJointReply(text: string, realign: boolean): unknown {
  const parsed = publishedReply(text)
  if (!realign) return parsed
  if (!isObject(parsed)) throw new PythonError('TypeError', 'the reply is not an object')
  const reason = parsed['failure_reason']
  if (typeof reason !== 'string' || !Object.hasOwn(RATINGS, reason)) {
    const isUnhashable = typeof reason === 'object' && reason !== null
    throw new PythonError(isUnhashable ? 'TypeError' : 'KeyError', `no rating belongs to ${JSON.stringify(reason)}`)
  }
  return { ...parsed, realism_rating: RATINGS[reason as JointReason] }
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
  const number = (value: unknown): number => (typeof value === 'number' ? value : value === true ? 1 : 0)
  const position = number(evaluation['link_position_score'])
  const given = evaluation['joint_evaluation_details']
  const details = Array.isArray(given) ? given.filter((detail) => isObject(detail)) : []
  const mean = (key: string): number => details.reduce((sum, detail) => sum + number(detail[key]), 0) / details.length
  const joint =
    details.length > 0 ? (mean('type_score') + mean('position_score')) / 2 : number(evaluation['joint_score'])
  return {
    position_score: position,
    joint_score: joint,
    overall_score: (position + joint) / 2,
    success: evaluation['success'] ?? false,
  }
}

/** Scores of the picture heuristic on ten points; ties go to the even number, twice. */
export function publishedCombination(
  position01: number,
  joint01: number,
  { position, joint }: { position: number; joint: number },
): { position_score: number; joint_score: number; overall_score: number } {
  const position_score = roundHalfEven(position01 * 10)
  const joint_score = roundHalfEven(joint01 * 10)
  return { position_score, joint_score, overall_score: roundHalfEven(position * position_score + joint * joint_score) }
}

export interface JointHeuristic {
  joint01: number
  parts: { type: number; position: number; quantity: number; axis: number; geometry: number }
}

/** The published critic that reads words in the URDF text instead of looking. */
export function publishedJointHeuristic(urdf: string): JointHeuristic {
  const text = urdf.toLowerCase()
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0
  const ofType = (type: string): number => count(new RegExp(`<joint\\b[^>]*type="${type}"`, 'g'))
  const [prismatic, revolute, continuous, fixed] = ['prismatic', 'revolute', 'continuous', 'fixed'].map(ofType) as [
    number,
    number,
    number,
    number,
  ]
  const joints = count(/<joint\b/g)
  const links = count(/<link\b/g)
  const says = (...words: string[]): boolean => words.some((word) => text.includes(word))
  let type = 0
  if (says('sliding', 'lid', 'drawer')) type += prismatic > 0 ? 0.5 : 0.1
  if (says('hinge', 'door', 'handle')) type += revolute > 0 ? 0.5 : 0.1
  if (says('wheel', 'continuous')) type += continuous > 0 ? 0.5 : 0.1
  if (fixed > 0) type += 0.2
  if (joints > 0 && fixed > 0.8 * joints) type *= 0.3
  if (prismatic + revolute + continuous === 0) type *= 0.2
  const position = (text.includes('<origin') ? 0.3 : 0) + (text.includes('<axis') ? 0.3 : 0)
  const quantity = links <= 1 ? 0.2 : 0.4 * Math.max(0, 1 - Math.abs(joints / links - (links - 1) / links))
  // Both look for the type inside of the joint's body, where it never is.
  const axis = 0.5
  const geometry = joints >= 2 ? 0.4 : 0.5
  return {
    joint01: Math.min(1, 0.4 * type + 0.2 * position + 0.1 * quantity + 0.2 * axis + 0.1 * geometry),
    parts: { type, position, quantity, axis, geometry },
  }
}
