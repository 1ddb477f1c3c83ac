/** Parses the judge's reply. */
import { bestObject, dropThinking } from '../../../suite.ts'
import type { VsigOutcome } from '../domain/outcome.ts'
import { asNumber } from '../domain/points.ts'

const NUMBER = String.raw`(-?\d{0,4}(?:\.\d{1,12})?(?<=\d))`
const SHARE = String.raw`${NUMBER}\s{0,2}(?:(%)|(?:\/|out of|分之)\s{0,2}(\d{1,4}(?:\.\d{1,3})?))?`
const WHOLE = new RegExp(`^[\\s*_"'(\`]{0,8}${SHARE}[\\s*_"')\`.。分]{0,8}$`)
const LABELED = new RegExp(
  String.raw`(?:score|rating|grade|得分|评分|分数|打分)(?:\s{0,2}[(（][^)）\n]{0,20}[)）])?(?:\s(?:is|of|would be|为|是))?[^\d\n.-]{0,16}${SHARE}`,
  'gi',
)
const BOXED = new RegExp(String.raw`\\boxed\{\s{0,4}(?:\\text\{)?${SHARE}`, 'g')
const FIELDS = ['score', 'rating', 'accuracy', 'intent_accuracy_score', 'value']
/** A judge's answer is short; only its end is searched for sentences. */
const MAX_TEXT = 20_000

/** The judge's score, clamped to 0…1; null if there is none. */
export function scoreIn(reply: string): number | null {
  const found = bestObject(reply, (object) => FIELDS.some((field) => field in object))?.value
  for (const field of FIELDS) {
    const value = found?.[field]
    const given = asNumber(value) ?? (typeof value === 'string' ? shareIn(WHOLE.exec(value)) : null)
    if (given !== null && !Number.isNaN(given)) return clamp(given)
  }
  const text = dropThinking(reply).text.trim()
  if (text.length < 60) {
    const whole = shareIn(WHOLE.exec(text))
    if (whole !== null) return clamp(whole)
  }
  const end = text.slice(-MAX_TEXT)
  const said = [...end.matchAll(BOXED)].at(-1) ?? [...end.matchAll(LABELED)].at(-1)
  const share = shareIn(said ?? null)
  return share === null ? null : clamp(share)
}

/** `0.8`, `80%`, `8/10`. */
function shareIn(match: RegExpExecArray | null): number | null {
  if (!match) return null
  const [, number, percent, whole] = match
  const value = Number(number)
  if (percent !== undefined) return value / 100
  return whole === undefined || Number(whole) === 0 ? value : value / Number(whole)
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}

/** Null without a judge, or if neither of its replies has a score. */
export function judgeScore({ judge }: VsigOutcome): number | null {
  const reply = judge?.again ?? judge?.intent ?? null
  return reply === null ? null : scoreIn(reply)
}
