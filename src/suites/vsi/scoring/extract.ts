/** How each published evaluator finds the answer in what a model wrote. */
import { pythonFloat } from '../../../base/text/index.ts'
import { pythonStrip } from '../python.ts'
import { firstNumberInWords, SMALL_NUMBERS } from './number-words.ts'

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

const LAST_NUMBER = /[-+]?(?:\p{Nd}+(?:\.\p{Nd}*)?|\.\p{Nd}+)(?:[eE][-+]?\p{Nd}+)?/gu
const SMALL_WORD = new RegExp(`\\b(?:${[...SMALL_NUMBERS.keys()].join('|')})\\b`, 'gi')
const ANSWER_TAG = /<answer>([\s\S]*?)<\/answer>/i

/** VLMEvalKit: the number in `<answer>`, else the last one after `</think>`, else the last one of all. */
export function vlmevalkitNumber(prediction: string): number | null {
  const tagged = ANSWER_TAG.exec(prediction)
  if (tagged !== null) {
    const value = lastNumber(tagged[1]!)
    if (value !== null) return value
  }
  const thought = prediction.toLowerCase().lastIndexOf('</think>')
  if (thought >= 0) {
    const value = lastNumber(prediction.slice(thought + '</think>'.length))
    if (value !== null) return value
  }
  return lastNumber(prediction)
}

function lastNumber(text: string): number | null {
  const digits = text.replaceAll(SMALL_WORD, (word) => String(SMALL_NUMBERS.get(word.toLowerCase())))
  const last = digits.match(LAST_NUMBER)?.at(-1)
  return last === undefined ? null : pythonFloat(last)
}

const ALONE = /^[\s*("'[{.]*([A-F])[\s*)"'\]}.,:;!]*$/i
const SAID =
  /\b(?:answer|option|choice)\b(?:\s+(?:is|would\s+be))?\s*[:=：]?\s*\**\s*["'([{]*\s*\**([A-F])(?![A-Za-z0-9])/gi
const BEFORE_THOUGHT_ENDS = /(?<![A-Za-z0-9])([A-F])[\s.*)\]"']*<\/think>/i
const LEADING = /^[\s*("'[{.]*([A-F])[.):,\]*]/
/** `A or B`, `A, B`, `A/B`: no decision. */
const SEVERAL = /^[\s*("'[]*[A-F]\s*(?:,|\/|&|\band\b|\bor\b)\s*[("'[]*[A-F](?![A-Za-z0-9])/
const STANDING = /(?<![A-Za-z0-9'’])([A-F])(?![A-Za-z0-9'’])/g

/**
 * VLMEvalKit: a cascade of patterns; null when none of them gives one letter. In its order: a tagged answer, a boxed
 * one, the letter right before `</think>`, a letter alone, one that the reply leads with, one that is said to be the
 * answer, and the only capital that stands by itself. A reply that names several is not read.
 */
export function vlmevalkitLetter(prediction: string): string | null {
  const tagged = ANSWER_TAG.exec(prediction)
  if (tagged !== null) {
    const letter = ALONE.exec(tagged[1]!)?.[1] ?? onlyStanding(tagged[1]!)
    if (letter !== null) return letter.toUpperCase()
  }
  if (SEVERAL.test(prediction)) return null
  const boxed = /\\boxed\{\s*(?:\\text\{)?\s*([A-F])\b/i.exec(prediction)
  const thought = BEFORE_THOUGHT_ENDS.exec(prediction)
  const alone = ALONE.exec(prediction)
  const leading = LEADING.exec(prediction)
  const several = new Set([...prediction.matchAll(STANDING)].map(([, letter]) => letter)).size > 1
  const said = [...prediction.matchAll(SAID)].at(-1)
  const found = boxed ?? thought ?? alone ?? leading ?? (said && !several ? said : null)
  return found ? found[1]!.toUpperCase() : onlyStanding(prediction)
}

function onlyStanding(text: string): string | null {
  const letters = new Set([...text.matchAll(STANDING)].map(([, letter]) => letter!))
  return letters.size === 1 ? [...letters][0]! : null
}
