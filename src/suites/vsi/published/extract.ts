/** How the official evaluator and lmms-eval find the answer in what a model wrote. */
import { pythonFloat } from '../../../suite.ts'
import { pythonStrip } from './python.ts'
import { firstNumberInWords } from './number-words.ts'

/** The official rule: the first piece before a space, without trailing dots, and only then without white space. */
export function officialToken(prediction: string): string {
  const end = prediction.indexOf(' ')
  let token = end < 0 ? prediction : prediction.slice(0, end)
  let to = token.length
  while (to > 0 && token[to - 1] === '.') to--
  token = token.slice(0, to)
  return pythonStrip(token)
}

/** lmms-eval: the first number anywhere, in digits or in words, whichever starts first. */
export function lmmsNumber(prediction: string): number | null {
  const digits = /-?\p{Nd}+(?:\.\p{Nd}+)?/u.exec(prediction)
  const words = firstNumberInWords(prediction)
  if (words !== null && (digits === null || words.start < digits.index)) return words.value
  return digits === null ? null : pythonFloat(digits[0])
}
