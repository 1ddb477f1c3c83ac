/** From critics' words to checked data. What is missing or contradicts itself is told, never guessed. */
import { bestObject, isObject, mean } from '../../../suite.ts'
import { FAILURES, type JointReason, RATINGS } from '../domain/states.ts'

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

export function readJointCritique(text: string): CriticReading<JointCritique> {
  const found = bestObject(text, (object) => 'failure_reason' in object)
  if (!found) return { ok: false, problem: 'no JSON object with "failure_reason"' }
  const { value, repairs } = found
  const wanted = String(value['failure_reason'])
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  const reason = (['success', ...FAILURES] as const).find((known) => known === wanted)
  if (!reason)
    return { ok: false, problem: `"failure_reason" is "${wanted.slice(0, 40)}", not success, ${FAILURES.join(', ')}` }
  const ratingGiven = scoreOf(value['realism_rating'])
  const fits = ratingGiven !== null && (reason === 'success' ? ratingGiven > 5 : ratingGiven === RATINGS[reason])
  return {
    ok: true,
    repairs,
    value: {
      reason,
      ratingGiven,
      rating: reason === 'success' && fits ? ratingGiven : RATINGS[reason],
      isInconsistent: !fits,
      suggestion: words(value['improvement_suggestion']),
      truthDescription: words(value['gt_description']),
      predictionDescription: words(value['pred_description']),
    },
  }
}

export interface LinkCritique {
  rating: number
  description: string
}

export function readLinkCritique(text: string): CriticReading<LinkCritique> {
  const found = bestObject(text, (object) => 'realism_rating' in object)
  if (!found) return { ok: false, problem: 'no JSON object with "realism_rating"' }
  const rating = scoreOf(found.value['realism_rating'])
  if (rating === null) return { ok: false, problem: '"realism_rating" is not a number from 0 to 10' }
  return { ok: true, repairs: found.repairs, value: { rating, description: words(found.value['description']) } }
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

/** `movable` are the joints that need a detail each. */
export function readUrdfCritique(text: string, movable: readonly string[]): CriticReading<UrdfCritique> {
  const found = bestObject(text, (object) => 'link_position_score' in object)
  if (!found) return { ok: false, problem: 'no JSON object with "link_position_score"' }
  const { value, repairs } = found
  const position = scoreOf(value['link_position_score'])
  if (position === null) return { ok: false, problem: '"link_position_score" is not a number from 0 to 10' }
  const discrepancies: string[] = []
  const details = detailsOf(value['joint_evaluation_details'])
  const missing = movable.filter((name) => !details.some(({ joint }) => joint === name))
  if (missing.length > 0) discrepancies.push(`no details for ${missing.join(', ')}`)
  const counted = details.filter(({ joint }) => movable.includes(joint))
  const given = scoreOf(value['joint_score'])
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
      positionReasoning: words(value['link_position_reasoning']),
      details,
      discrepancies,
    },
  }
}

function detailsOf(value: unknown): JointDetail[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((detail: unknown): JointDetail[] => {
    if (!isObject(detail)) return []
    const [type, position] = [scoreOf(detail['type_score']), scoreOf(detail['position_score'])]
    if (typeof detail['joint_name'] !== 'string' || type === null || position === null) return []
    return [{ joint: detail['joint_name'], type, position, reasoning: words(detail['reasoning']) }]
  })
}

/** A number from 0 to 10, quoted or not, `8/10` too. */
function scoreOf(value: unknown): number | null {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^\s*\d+(?:\.\d+)?\s*(?:\/\s*10)?\s*$/.test(value)
        ? Number.parseFloat(value)
        : Number.NaN
  return number >= 0 && number <= 10 ? number : null
}

function words(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
