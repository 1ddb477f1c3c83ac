/** Answer extraction of the official evaluator and lmms-eval. */
import { pythonFloat, pythonStrip } from '../../../suite.ts'
import { firstNumberInWords } from './number-words.ts'

/** The official rule: the text before the first space, stripped of trailing dots, then of whitespace. */
export function officialToken(prediction: string): string {
  const end = prediction.indexOf(' ')
  let token = end < 0 ? prediction : prediction.slice(0, end)
  let to = token.length
  while (to > 0 && token[to - 1] === '.') to--
  token = token.slice(0, to)
  return pythonStrip(token)
}

/** lmms-eval: the first number in the text, in digits or spelled out. */
export function lmmsNumber(prediction: string): number | null | { raises: string } {
  const text = pythonStrip(prediction).toLowerCase()
  const digits = /-?\p{Nd}+(?:\.\p{Nd}+)?/u.exec(text)
  const words = firstNumberInWords(text)
  if (words !== null && (digits === null || words.start < digits.index))
    return Number.isFinite(words.value) ? words.value : { raises: 'OverflowError' }
  return digits === null ? null : pythonFloat(digits[0])
}
