/**
 * Parses the fields of an answer like the published scorer. Fragile on purpose, because `upstream` reproduces it. Profile
 * `fixed` uses grammar.ts.
 */
import { PYTHON_SPACES, pythonStrip } from '../../../suite.ts'
import { betweenOnLine } from './between.ts'
import type { Step } from '../domain/answers/question.ts'
import { stripQuotes } from './quotes.ts'

/** No answer has this many parts, so further ones cannot change its score. */
const MAX_PARTS = 100

/** Items between the first brackets, or of the whole text, split at commas; null if there are none. */
export function sequenceField(text: string): string[] | null {
  const [open, close] = text.includes('(') && text.includes(')') ? '()' : '[]'
  const items = parts(betweenOnLine(text, open!, close!) ?? text, [','], (item) => stripQuotes(pythonStrip(item)))
  return items.length > 0 ? items : null
}

/** The first parts between separators that are not empty. Not `split`, which would make a list of a million commas. */
function parts(
  text: string,
  separators: readonly string[],
  clean: (part: string) => string,
  most = MAX_PARTS,
): string[] {
  const found: string[] = []
  for (let from = 0, at = 0; at <= text.length && found.length < most; at++) {
    if (at < text.length && !separators.includes(text[at]!)) continue
    const part = at === from ? '' : clean(text.slice(from, at))
    if (part !== '') found.push(part)
    from = at + 1
  }
  return found
}

/** Direction and distance: split at commas, else at semicolons and line breaks, else before the last word. */
export function relationField(text: string): [direction: string, distance: string] | null {
  const items = sequenceField(text)
  if (items && items.length >= 2) return [items[0]!, items[1]!]
  const segments = parts(text, [';', '\n'], pythonStrip)
  if (segments.length >= 2) return [segments[0]!, segments[1]!]
  const words = parts(text, [' ', ','], pythonStrip, Infinity)
  if (words.length < 2) return null
  return [words.slice(0, -1).join(' '), words.at(-1)!]
}

function split(text: string, by: RegExp): string[] {
  return text
    .split(by)
    .map(pythonStrip)
    .filter((part) => part !== '')
}

/**
 * Python's `\d` and `float` accept digits of every script. The lookbehind keeps a number from starting inside another,
 * which finds the same pairs in linear time.
 */
const SPACES = `[${PYTHON_SPACES}]*`
const NUMBER = String.raw`\p{Nd}+(?:\.\p{Nd}+)?`
const PAIR = new RegExp(String.raw`(?:-|(?<!\p{Nd}))${NUMBER}${SPACES},${SPACES}-?${NUMBER}`, 'gu')

/** All `x, y` in the text; null if there are none. */
export function coordinateFields(text: string): [x: number, y: number][] | null {
  const pairs: [number, number][] = []
  for (const [pair] of text.matchAll(PAIR)) {
    const [x, y] = pair.split(',')
    pairs.push([number(x!), number(y!)])
    if (pairs.length === MAX_PARTS) break
  }
  return pairs.length > 0 ? pairs : null
}

function number(text: string): number {
  return Number(pythonStrip(text).replace(/\p{Nd}/gu, digitValue))
}

/** The digits of a script are ten consecutive code points. */
function digitValue(digit: string): string {
  if (digit >= '0' && digit <= '9') return digit
  let zero = digit.codePointAt(0)!
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) {
    zero -= 1
    value += 1
  }
  return String(value)
}

const JUMP = new RegExp(String.raw`^JumpTo${SPACES}\(${SPACES}`, 'iu')
const ROTATE = new RegExp(String.raw`^Rotate${SPACES}\(${SPACES}(-?\p{Nd}+)${SPACES}\)`, 'iu')

/** The text up to the first `)` after one character, on one line; by hand, because a lazy pattern is quadratic. */
function jumpTarget(token: string): string | null {
  const start = JUMP.exec(token)?.[0].length
  if (start === undefined) return null
  const close = token.indexOf(')', start + 1)
  const name = close < 0 ? '' : pythonStrip(token.slice(start, close))
  if (close >= 0 && !name.includes('\n')) return name
  // `JumpTo( )`: the space is the name.
  return token[start] === ')' && token[start - 1] === ' ' ? '' : null
}

/** Moves split at commas, each starting with `JumpTo(name)` or `Rotate(degrees)`; empty if there is anything else. */
export function moveFields(text: string): Step[] {
  const steps: Step[] = []
  for (const token of split(text, /,/)) {
    const target = jumpTarget(token)
    const turn = target === null ? ROTATE.exec(token) : null
    if (target !== null) steps.push({ jump: target })
    else if (turn) steps.push({ turn: number(turn[1]!) })
    else return []
  }
  return steps
}
