import type { Reply } from '../models/types.ts'
import type { ReplyProblem } from '../store/records.ts'

/** Longer replies that start with an apology usually answer after all. */
const MAX_REFUSAL_LENGTH = 600
const REFUSAL =
  /^\W*(?:(?:i['’]?m|i am|we['’]?re|we are)?\s*(?:very |really )?sorry\b|i apologi[sz]e|unfortunately,? i|as an ai\b|i (?:can['’]?t|cannot|am unable to|['’]?m unable to|won['’]?t|will not) (?:help|assist|comply|fulfill|do that|provide|identify|answer))/i
const CANNOT = /\b(?:can['’]?t|cannot|can not|unable to|not able to|won['’]?t|will not|must decline|decline to)\b/i

/** Why a reply is not a full answer; null for a normal one. */
export function problemOf({ text, media, finish }: Pick<Reply, 'text' | 'media' | 'finish'>): ReplyProblem | null {
  if (finish === 'length') return 'cut_off'
  if (finish === 'content-filter') return 'filtered'
  const answer = text.trim()
  if (answer === '') return media === undefined || media.length === 0 ? 'empty' : null
  return answer.length <= MAX_REFUSAL_LENGTH && REFUSAL.test(answer) && CANNOT.test(answer) ? 'refused' : null
}
