/**
 * Finds the calls of an action list in free text. Tolerates text before and after the list, line breaks, a space before
 * `(`, `;` instead of `,`, and extra commas. Anything else that is not a call is an error with its position.
 */
import type { ActionError } from './actions.ts'

export interface Call {
  word: string
  /** Text between the parentheses, trimmed. */
  argument: string
  /** Position in the text, from 1. */
  at: number
}

export type ReadCalls = { ok: true; calls: Call[]; at: number } | { ok: false; error: ActionError }

const SEPARATORS = ',; \t\n\r\u00a0'
/** Longer words are not actions, and are cut in error messages. */
const MAX_WORD_LENGTH = 40
const CLOSING_QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”', '‘': '’' }

export function readCalls(text: string): ReadCalls {
  const lists = listsIn(text)
  if (lists.length === 0) {
    const hint = /[A-Za-z]\s*\(/.test(text) ? 'the actions must stand in square brackets' : 'there is no action list'
    return failed(`${hint}: expected Actions: [ … ]`, 0)
  }
  const withCalls = lists.filter(({ from, to }) => text.slice(from, to).includes('('))
  if (withCalls.length > 1) return failed('there is more than one action list', withCalls[1]!.from)
  const list = withCalls[0] ?? lists.at(-1)!
  return callsIn(text, list.from, list.to)
}

function failed(problem: string, at: number): { ok: false; error: ActionError } {
  return { ok: false, error: { problem, at } }
}

/** Ranges inside the outermost `[ … ]`. Brackets inside a quoted argument are ignored. */
function listsIn(text: string): { from: number; to: number }[] {
  const lists: { from: number; to: number }[] = []
  let open = -1
  let depth = 0
  let inCall = false
  const quotes = new Quotes(text)
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (open >= 0 && char === '(') inCall = true
    else if (char === ')') inCall = false
    else if (inCall && CLOSING_QUOTES[char] !== undefined) {
      const close = quotes.closing(char, i)
      if (close > 0) i = close
    } else if (char === '[') {
      if (depth++ === 0) open = i + 1
    } else if (char === ']' && depth > 0 && --depth === 0) {
      lists.push({ from: open, to: i })
      open = -1
      inCall = false
    }
  }
  return lists
}

function callsIn(text: string, from: number, to: number): ReadCalls {
  const calls: Call[] = []
  const quotes = new Quotes(text)
  let i = from
  while (i < to) {
    const char = text[i]!
    if (SEPARATORS.includes(char)) {
      i += 1
      continue
    }
    if (!isWordAt(text, i)) return failed(`unexpected "${char}" in the action list`, i + 1)
    const start = i
    while (i < to && isWordAt(text, i)) i += 1
    const word = text.slice(start, Math.min(i, start + MAX_WORD_LENGTH))
    while (i < to && (text[i] === ' ' || text[i] === '\t')) i += 1
    if (text[i] !== '(' || i >= to) return failed(`"${word}" is not an action: expected ${word}(…)`, start + 1)
    const end = closingParenthesis(text, i + 1, to, quotes)
    if (end < 0) return failed(`${word}( is never closed`, start + 1)
    calls.push({ word, argument: text.slice(i + 1, end).trim(), at: start + 1 })
    i = end + 1
  }
  return { ok: true, calls, at: from }
}

/** Position of the `)` that ends an argument, skipping quotes and nested parentheses. */
function closingParenthesis(text: string, from: number, to: number, quotes: Quotes): number {
  let depth = 0
  for (let i = from; i < to; i++) {
    const char = text[i]!
    if (CLOSING_QUOTES[char] !== undefined) {
      const close = quotes.closing(char, i)
      if (close > 0) i = close
    } else if (char === '(') depth += 1
    else if (char === ')' && depth-- === 0) return i
  }
  return -1
}

/** A letter or an underscore. */
function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95
}

/** Finds closing quotes. Remembers when there are none left, which keeps parsing linear on hostile text. */
class Quotes {
  readonly #text: string
  readonly #missing = new Set<string>()

  constructor(text: string) {
    this.#text = text
  }

  /** Position of the quote that closes `quote`, or -1. */
  closing(quote: string, at: number): number {
    const wanted = CLOSING_QUOTES[quote]
    if (wanted === undefined || this.#missing.has(wanted)) return -1
    const close = this.#text.indexOf(wanted, at + 1)
    if (close < 0) this.#missing.add(wanted)
    return close
  }
}
