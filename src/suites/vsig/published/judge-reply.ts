/** How the first two published generations read replies of the judge. */
import { isObject, pythonFloat } from '../../../suite.ts'
import { asNumber } from '../domain/points.ts'
import { loads, orNull, stripped } from './python.ts'

/** Tried in this order before any other key. */
const SCORE_KEYS = ['intent_accuracy_score', 'score', 'accuracy', 'value'] as const

/** ASCII digits only. Signs, fractions and percent signs are ignored: "80%" is 80. */
const DECIMAL = /[0-9]*\.?[0-9]+/

function firstDecimal(text: string): number | null {
  const found = DECIMAL.exec(text)
  return found ? Number(found[0]) : null
}

/** The score in a parsed reply of any form. Not clamped. */
export function publishedScore(reply: unknown): number {
  const number = asNumber(reply)
  if (number !== null) return number
  if (typeof reply === 'string') return firstDecimal(reply) ?? 0
  if (Array.isArray(reply)) {
    const first: unknown = reply[0]
    return asNumber(first) ?? (typeof first === 'string' ? (firstDecimal(first) ?? 0) : 0)
  }
  if (!isObject(reply)) return 0
  for (const key of SCORE_KEYS) {
    const value = Object.hasOwn(reply, key) ? reply[key] : undefined
    const score = asNumber(value)
    if (score !== null) return score
    if (typeof value === 'string') return firstDecimal(value) ?? 0
  }
  for (const value of Object.values(reply)) {
    const score = asNumber(value) ?? (typeof value === 'string' ? firstDecimal(value) : null)
    if (score !== null) return score
  }
  return 0
}

/**
 * The temporal scores in a parsed reply, whatever they are; one zero per predicted point if there is no object. A reply
 * that is a text holds JSON itself, perhaps in code fences.
 */
export function publishedTemporal(reply: unknown, predictedPoints: number): unknown {
  const text = typeof reply === 'string' ? stripped(reply.replaceAll('```json', '').replaceAll('```', '')) : null
  const value = text === null ? reply : orNull(() => loads(text))
  if (!isObject(value)) return Array.from({ length: predictedPoints }, () => 0)
  return Object.hasOwn(value, 'temporal_scores') ? value['temporal_scores'] : []
}

/** Generation 2: the score of one moment, clamped to 0…1; null if the reply is not an object. */
export function publishedMomentScore(reply: unknown): number | null {
  if (!isObject(reply)) return null
  const given = Object.hasOwn(reply, 'score') ? reply['score'] : 0
  const number = asNumber(given) ?? (typeof given === 'string' ? pythonFloat(given) : null) ?? 0
  // Python's min(1.0, nan) is 1.0.
  return Number.isNaN(number) ? 1 : Math.max(0, Math.min(1, number))
}
