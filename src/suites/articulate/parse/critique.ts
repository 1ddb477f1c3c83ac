/** From critics' words to checked data. What is missing or contradicts itself is told, never guessed. */
import { isObject, type JsonObject, mean } from '../../../suite.ts'
import { FAILURES, type JointReason, RATINGS } from '../domain/states.ts'
import { field, lastLabelled, lastRead, type Said, toBeRead } from './fields.ts'
import { reasonIn, verdictIn } from './reason.ts'
import { outOfTen, scoreOf } from './score.ts'

export type CriticReading<T> = { ok: true; value: T; repairs: string[] } | { ok: false; problem: string }

export interface JointCritique {
  reason: JointReason
  /** What the model wrote, and what belongs to its reason. */
  ratingGiven: number | null
  rating: number
  /** The rating that was given lies outside of what its reason allows. */
  isInconsistent: boolean
  suggestion: string
  truthDescription: string
  predictionDescription: string
}

const REASON = ['failure_reason', 'failure', 'failure_type', 'error_type', 'verdict', 'reason']
const RATING = ['realism_rating', 'realism_score', 'rating', 'score', 'realism']

export function readJointCritique(reply: string): CriticReading<JointCritique> {
  const text = toBeRead(reply)
  const said = lastRead(text, (object) => judged(field(object, REASON), field(object, RATING), object)) ?? inWords(text)
  if (!said) return { ok: false, problem: `no "failure_reason" that is success, ${FAILURES.join(', ')}` }
  const { reason, ratingGiven, object } = said.value
  const fits = ratingGiven !== null && (reason === 'success' ? ratingGiven > 5 : ratingGiven === RATINGS[reason])
  return {
    ok: true,
    repairs: said.repairs,
    value: {
      reason,
      ratingGiven,
      rating: reason === 'success' && fits ? ratingGiven : RATINGS[reason],
      isInconsistent: !fits,
      suggestion: words(field(object, ['improvement_suggestion', 'suggestion', 'improvement'])),
      truthDescription: words(field(object, ['gt_description', 'ground_truth_description'])),
      predictionDescription: words(field(object, ['pred_description', 'prediction_description'])),
    },
  }
}

interface Judged {
  reason: JointReason
  ratingGiven: number | null
  object: JsonObject
}

/** A rating without a reason has one: each reason has a rating of its own. */
function judged(given: unknown, rating: unknown, object: JsonObject): Judged | null {
  const ratingGiven = scoreOf(rating)
  const reason = reasonIn(given) ?? (given === undefined || given === null ? reasonOfRating(ratingGiven) : null)
  return reason && { reason, ratingGiven, object }
}

/** Markdown, a table, a reply that was cut off, or prose that names its verdict. */
function inWords(text: Said<string>): Said<Judged> | null {
  const rating = lastLabelled(text, RATING.slice(0, 3), scoreOf)
  const reason = lastLabelled(text, REASON.slice(0, 5), reasonIn) ?? verdictIn(text.value) ?? reasonOfRating(rating)
  return reason && { value: { reason, ratingGiven: rating, object: {} }, repairs: ['read from the text'] }
}

function reasonOfRating(rating: number | null): JointReason | null {
  if (rating !== null && rating > 5) return 'success'
  return FAILURES.find((reason) => RATINGS[reason] === rating) ?? null
}

export interface LinkCritique {
  rating: number
  description: string
}

export function readLinkCritique(reply: string): CriticReading<LinkCritique> {
  const text = toBeRead(reply)
  const said = lastRead(text, (object) => {
    const rating = scoreOf(field(object, RATING))
    return rating === null
      ? null
      : { rating, description: words(field(object, ['description', 'justification', 'reasoning'])) }
  })
  if (said) return { ok: true, ...said }
  const rating = lastLabelled(text, RATING.slice(0, 3), scoreOf) ?? outOfTen(text.value)
  if (rating === null) return { ok: false, problem: 'no "realism_rating" from 0 to 10' }
  return { ok: true, value: { rating, description: '' }, repairs: ['read from the text'] }
}

export interface JointDetail {
  joint: string
  type: number
  position: number
  reasoning: string
}

export interface UrdfCritique {
  position: number
  /** Recomputed from the details. */
  joint: number
  overall: number
  /** Only when both scores are 8 or more, whatever the model says. */
  success: boolean
  positionReasoning: string
  details: JointDetail[]
  /** What the model said that its own numbers do not bear out, or left out. */
  discrepancies: string[]
}

export const SUCCESS_SCORE = 8

const POSITION = ['link_position_score', 'position_score', 'link_score']
const JOINT = ['joint_score', 'overall_joint_score', 'joints_score']

/** `movable` are the joints that need a detail each. */
export function readUrdfCritique(reply: string, movable: readonly string[]): CriticReading<UrdfCritique> {
  const text = toBeRead(reply)
  const said = lastRead(text, (object) => {
    const position = scoreOf(field(object, POSITION))
    return position === null ? null : { position, object }
  })
  const position = said?.value.position ?? lastLabelled(text, POSITION, scoreOf)
  if (position === null) return { ok: false, problem: 'no "link_position_score" from 0 to 10' }
  const value = said?.value.object ?? {}
  const repairs = said?.repairs ?? ['read from the text']
  const discrepancies: string[] = []
  const details = detailsOf(field(value, ['joint_evaluation_details', 'joint_details', 'joints']))
  const missing = movable.filter((name) => !details.some(({ joint }) => joint === name))
  if (missing.length > 0) discrepancies.push(`no details for ${missing.join(', ')}`)
  const counted = details.filter(({ joint }) => movable.includes(joint))
  const given = scoreOf(field(value, JOINT)) ?? (said ? null : lastLabelled(text, JOINT, scoreOf))
  if (counted.length === 0 && given === null)
    return { ok: false, problem: 'neither "joint_evaluation_details" of known joints nor "joint_score"' }
  const joint = counted.length > 0 ? mean(counted.map(({ type, position: at }) => (type + at) / 2)) : given!
  if (given !== null && Math.abs(given - joint) > 0.25)
    discrepancies.push(`joint_score ${given} where the details give ${joint.toFixed(2)}`)
  const success = position >= SUCCESS_SCORE && joint >= SUCCESS_SCORE && missing.length === 0
  const claimed = value['success'] === true || String(value['success']).toLowerCase() === 'true'
  if (claimed !== success) discrepancies.push(`success ${claimed} where the scores say ${success}`)
  return {
    ok: true,
    repairs,
    value: {
      position,
      joint,
      overall: (position + joint) / 2,
      success,
      positionReasoning: words(field(value, ['link_position_reasoning', 'position_reasoning'])),
      details,
      discrepancies,
    },
  }
}

/** A list, or an object with the joints' names as its keys. */
function detailsOf(value: unknown): JointDetail[] {
  const listed: unknown[] = Array.isArray(value)
    ? value
    : isObject(value)
      ? Object.entries(value).map(([joint_name, detail]) => (isObject(detail) ? { joint_name, ...detail } : detail))
      : []
  return listed.flatMap((detail): JointDetail[] => {
    if (!isObject(detail)) return []
    const joint = field(detail, ['joint_name', 'joint', 'name'])
    const [type, position] = [
      scoreOf(field(detail, ['type_score', 'type'])),
      scoreOf(field(detail, ['position_score', 'position'])),
    ]
    if (typeof joint !== 'string' || type === null || position === null) return []
    return [{ joint: joint.trim(), type, position, reasoning: words(field(detail, ['reasoning', 'reason'])) }]
  })
}

function words(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
