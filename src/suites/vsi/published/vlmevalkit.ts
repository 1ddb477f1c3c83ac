/**
 * VLMEvalKit's answer extraction: for letters, the first of seven rules that matches, from strongest to weakest; for
 * numbers, the tagged one, else the last.
 */
import { pythonFloat, pythonStrip } from '../../../suite.ts'
import { EDGE, WORD } from './python.ts'
import { pythonListItems } from './python-literal.ts'
import { SMALL_NUMBERS } from './number-words.ts'

const ZERO_WIDTH = /\u200b|\u200c|\u200d|\ufeff/g
/** Some rules look only at the end of the reply: this many characters or lines. */
const TAIL_CHARACTERS = 800
const TAIL_LINES = 6

const OPENER = '[([{（【]'
const OPENS = `${OPENER}?`
const CLOSES = '[)\\]}）】]?'

/** If the tag contains a word, its first letter counts. */
const ANSWER_OPENS = /<\s*answer\b/i
const FIRST_LETTER = /\s*([A-J])/iy
const ANSWER_CLOSES = /<\s*\/\s*answer\s*>/gi
const BEFORE_END_OF = (tag: string): RegExp =>
  new RegExp(`(?<![A-Za-z])${OPENS}\\s*([A-F])\\s*${CLOSES}\\s*</\\s*${tag}\\s*>`, 'i')
const BEFORE_TAG_ENDS = [BEFORE_END_OF('answer'), BEFORE_END_OF('think')]

/** `Option A: …` repeats the question and is not an answer. */
const OPTION_LINE = /^[*_>\-\s]*(?:option|选项)\s+[A-J]\s*[:：]/i
// Replies are untrusted: adjacent quantifiers must not match the same characters, or a long run of blanks takes minutes
// of backtracking.
const LETTER_LINE = /^\s*(?:[*_`>（）[\]【】()]+\s*)?([A-F])\s*(?:[*_`（）[\]【】()]+\s*)?$/i
const LABELLED_LINE = /^\s*([A-F])\s*[.．:：)\]】、-]\s+/i
const IN_LINE = /(?<![A-Za-z])([A-F])\s*[*_`）\]})]*(?=$|[\s.,:;!?)\]】》」』，。；、：）])/g

const SAID = new RegExp(
  '(?:final\\s*answer|the\\s*answer\\s*is|answer(?:\\s*is)?|correct\\s*answer|' +
    '答案|最终答案|结论|所以|因此|我选(?:择)?|选择|选)' +
    `\\s*(?:[:：>＝=]\\s*)?(?:${OPENER}\\s*)?([A-F])\\s*${CLOSES}(?:${EDGE}|[.)、。])`,
  'iu',
)
const ANYWHERE = /(?<![A-Za-z])([A-F])(?![A-Za-z])/g

/** The letter, or null if no rule matches. */
export function vlmevalkitLetter(prediction: string): string | null {
  const text = pythonStrip(prediction).replaceAll(ZERO_WIDTH, '')
  // Python counts code points.
  const tail = Array.from(text).slice(-TAIL_CHARACTERS).join('')
  const found =
    taggedLetter(text) ??
    BEFORE_TAG_ENDS.map((pattern) => pattern.exec(tail)?.[1]).find((letter) => letter !== undefined) ??
    fromLines(linesOf(afterThinking(text))) ??
    fromLines(linesOf(tail)) ??
    SAID.exec(text)?.[1] ??
    onlyOne(
      allLines(text)
        .filter((line) => !OPTION_LINE.test(line))
        .join('\n'),
      ANYWHERE,
    )
  return found?.toUpperCase() ?? null
}

/** Positions after each opening tag. Visits every `>` once, so unclosed tags do not make it quadratic. */
function* afterTags(text: string, opens: RegExp): Generator<number> {
  let from = 0
  for (let end = text.indexOf('>'); end >= 0; end = text.indexOf('>', from)) {
    if (opens.test(text.slice(from, end))) yield end + 1
    from = end + 1
  }
}

function taggedLetter(text: string): string | undefined {
  const lastClose = [...text.matchAll(ANSWER_CLOSES)].at(-1)?.index ?? -1
  for (const at of afterTags(text, ANSWER_OPENS)) {
    FIRST_LETTER.lastIndex = at
    const letter = FIRST_LETTER.exec(text)
    if (letter !== null && lastClose >= FIRST_LETTER.lastIndex) return letter[1]
  }
  return undefined
}

/** The letter of the last decisive line: a lone letter, a labeled option, or the only letter in the line. */
function fromLines(lines: readonly string[]): string | undefined {
  for (const line of lines.map(pythonStrip).toReversed()) {
    if (line === '' || OPTION_LINE.test(line)) continue
    const letter = LETTER_LINE.exec(line)?.[1] ?? LABELLED_LINE.exec(line)?.[1] ?? onlyOne(line, IN_LINE)
    if (letter !== undefined) return letter
  }
  return undefined
}

function onlyOne(text: string, pattern: RegExp): string | undefined {
  const letters = new Set([...text.matchAll(pattern)].map((match) => match[1]!))
  return letters.size === 1 ? [...letters][0] : undefined
}

/** Line ends of Python's `splitlines`. */
// oxlint-disable-next-line no-control-regex -- they include record and group separators
const LINE_END = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/

function allLines(text: string): string[] {
  return text.split(LINE_END)
}

function linesOf(text: string): string[] {
  const lines = allLines(text)
  // A trailing line end does not start another line.
  if (lines.at(-1) === '') lines.pop()
  return lines.slice(-TAIL_LINES)
}

/** The text after `</think>`, or after `<think>` if it is never closed. */
function afterThinking(text: string): string {
  const marks = [...text.matchAll(/<\/\s*think\s*>/gi)]
  const mark = marks.at(-1) ?? [...text.matchAll(/<\s*think\s*>/gi)].at(-1)
  return mark === undefined ? text : pythonStrip(text.slice(mark.index + mark[0].length))
}

const NUMBER = '[-+]?(?:\\p{Nd}*\\.\\p{Nd}+|\\p{Nd}+)(?:[eE][-+]?\\p{Nd}+)?'
const NUMBERS = new RegExp(NUMBER, 'gu')
const NUMBER_TAG_OPENS = new RegExp(`<\\s*answer${EDGE}`, 'iu')
const FIRST_NUMBER = new RegExp(`\\s*(${NUMBER})(?:[^\\p{Nd}<][^<]*)?<\\s*/\\s*answer\\s*>`, 'iuy')
const SMALL_WORD = new RegExp(`(?<!${WORD})(?:${[...SMALL_NUMBERS.keys()].join('|')})(?!${WORD})`, 'giu')

export function vlmevalkitNumber(prediction: string): number | null {
  const given = firstOfList(prediction)
  if (given === null) return null
  const text = pythonStrip(given)
    .replaceAll(ZERO_WIDTH, '')
    .replaceAll(SMALL_WORD, (word) => String(SMALL_NUMBERS.get(word.toLowerCase())))
  const number = taggedNumber(text) ?? afterThinking(text).match(NUMBERS)?.at(-1) ?? text.match(NUMBERS)?.at(-1)
  return number === undefined ? null : pythonFloat(number)
}

function taggedNumber(text: string): string | undefined {
  for (const at of afterTags(text, NUMBER_TAG_OPENS)) {
    FIRST_NUMBER.lastIndex = at
    const number = FIRST_NUMBER.exec(text)?.[1]
    if (number !== undefined) return number
  }
  return undefined
}

/** The first item of a reply that is a list; null if it looks like a list but cannot be parsed. */
function firstOfList(prediction: string): string | null {
  const text = pythonStrip(prediction)
  if (!text.startsWith('[') || !text.endsWith(']')) return prediction
  const items = pythonListItems(prediction)
  return items === undefined ? null : (items?.[0] ?? prediction)
}
