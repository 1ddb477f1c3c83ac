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

/** Also quotes, Markdown and arrows around single calls. */
const SEPARATORS = ',; \t\n\r\u00a0"\'`*→•|{}$\\\\'
/** Between calls: list numbers and bullets, arrows, words that lead to the next call, and the label. */
const FILLER = /(?:\d{1,2}[.)]|->|=>|-(?=\s)|(?:then|and|next|finally|first|actions?|boxed|text)\b[:=]?)/iy
/** Longer words are not actions, and are cut in error messages. */
const MAX_WORD_LENGTH = 40
const CLOSING_QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”', '‘': '’' }

export function readCalls(text: string): ReadCalls {
  const lists = listsIn(text).filter(({ from, to }) => text.slice(from, to).includes('('))
  const list = lists.at(-1)
  if (list !== undefined) {
    // The last list corrects earlier ones, unless it is offered as an alternative.
    const before = lists.at(-2)
    if (before && ALTERNATIVE.test(text.slice(before.to + 1, list.from - 1)))
      return failed('there is more than one action list', list.from)
    return callsIn(text, list.from, list.to)
  }
  const bare = bareCalls(text)
  if (bare !== null) return bare
  const empty = listsIn(text).at(-1)
  if (empty !== undefined) return callsIn(text, empty.from, empty.to)
  const hint = /[A-Za-z]\s*\(/.test(text) ? 'the actions must stand in square brackets' : 'there is no action list'
  return failed(`${hint}: expected Actions: [ … ]`, 0)
}

const ALTERNATIVE = /^\s*(?:or|\/|,|\|)?\s*$/i
const ACTION = /(?:jump[\s_]?to|rotate|observe|query|term)\s?\(/i
/** Longer texts without brackets are not an action list. */
const MAX_BARE_LENGTH = 2000

/** Actions without brackets: the last lines that hold nothing else. */
function bareCalls(text: string): ReadCalls | null {
  const from = Math.max(0, text.length - MAX_BARE_LENGTH)
  let end = text.length
  let start = -1
  for (let at = text.length; at > from;) {
    const line = text.lastIndexOf('\n', at - 1) + 1
    const part = text.slice(line, at).trim()
    if (ACTION.test(part) && callsIn(text, line, at).ok) {
      if (start < 0) end = at
      start = line
    } else if (start >= 0 || (part !== '' && !/^[`*_#\s]*$/.test(part))) break
    at = line - 1
  }
  return start < 0 ? null : callsIn(text, start, end)
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
    FILLER.lastIndex = i
    const filler = FILLER.exec(text)
    if (filler !== null && FILLER.lastIndex <= to) {
      i = FILLER.lastIndex
      continue
    }
    if (!isWordAt(text, i)) return failed(`unexpected "${char}" in the action list`, i + 1)
    const start = i
    while (i < to && isWordAt(text, i)) i += 1
    // "Jump To(table)" is one action.
    const spaced = /^jump$/i.test(text.slice(start, i)) ? /\s{1,3}to(?=\s{0,3}\()/iy : null
    if (spaced !== null) {
      spaced.lastIndex = i
      if (spaced.exec(text) !== null) i = spaced.lastIndex
    }
    const word = text.slice(start, Math.min(i, start + MAX_WORD_LENGTH)).replace(/\s+/g, '')
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
