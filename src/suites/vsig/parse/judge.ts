/** Parses the judge's reply. */
import { bestObject } from '../../../suite.ts'
import type { VsigOutcome } from '../domain/outcome.ts'
import { asNumber } from '../domain/points.ts'

/** The judge's score, clamped to 0…1; null if there is none. */
export function scoreIn(reply: string): number | null {
  const value = bestObject(reply, (object) => 'score' in object)?.value['score']
  const given = asNumber(typeof value === 'string' && value.trim() !== '' ? Number(value) : value)
  return given === null || Number.isNaN(given) ? null : Math.min(1, Math.max(0, given))
}

/** Null without a judge, or if neither of its replies has a score. */
export function judgeScore({ judge }: VsigOutcome): number | null {
  const reply = judge?.again ?? judge?.intent ?? null
  return reply === null ? null : scoreIn(reply)
}
