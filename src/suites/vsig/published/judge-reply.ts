/** The published scorers' parsing of judge replies. */
import { isObject, pythonFloat, readPythonJson } from '../../../suite.ts'
import { asNumber } from '../domain/points.ts'

/** Tried in this order before any other key. */
const SCORE_KEYS = ['intent_accuracy_score', 'score', 'accuracy', 'value'] as const

const DECIMAL = /\p{Nd}+\.?\p{Nd}*/u

/** The first decimal number in a text; signs, fractions and percent signs are ignored. */
function firstDecimal(text: string): number | null {
  const found = DECIMAL.exec(text)
  return found ? pythonFloat(found[0]) : null
}

/** The score in any form of reply. Not clamped: "80%" is 80. */
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
    const value = reply[key]
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
 * The list of temporal scores in a judge's reply, of any length and content; one zero per predicted point if the reply
 * cannot be parsed; null if the judge says null, which counts as not measured.
 */
export function publishedTemporal(reply: unknown, predictedPoints: number): unknown[] | null {
  const value = typeof reply === 'string' ? readPythonJson(reply) : reply
  if (!isObject(value)) return zeros(predictedPoints)
  if (!('temporal_scores' in value)) return []
  const scores = value['temporal_scores']
  if (scores === null) return null
  return Array.isArray(scores) ? scores : [scores]
}

function zeros(count: number): number[] {
  return Array.from({ length: count }, () => 0)
}
