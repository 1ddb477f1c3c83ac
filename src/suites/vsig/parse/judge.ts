/** From the judge's words to a number. */
import { bestObject } from '../../../suite.ts'
import type { VsigOutcome } from '../domain/outcome.ts'
import { asNumber } from '../domain/points.ts'

/** A judge's number, kept between 0 and 1; null where it gave none. */
export function scoreIn(reply: string): number | null {
  const value = bestObject(reply, (object) => 'score' in object)?.value['score']
  const given = asNumber(typeof value === 'string' && value.trim() !== '' ? Number(value) : value)
  return given === null || Number.isNaN(given) ? null : Math.min(1, Math.max(0, given))
}

/** Null without a judge, or when it gave no score twice. */
export function judgeScore({ judge }: VsigOutcome): number | null {
  const reply = judge?.again ?? judge?.intent ?? null
  return reply === null ? null : scoreIn(reply)
}
