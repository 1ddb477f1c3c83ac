/** Numbers and strings as they are written. */
import { LIMITS, ProgramError } from './problem.ts'

/** A piece of an f-string before what stands in its braces is parsed. */
export type RawPiece =
  | { text: string }
  | {
      source: string
      line: number
      conversion: '' | 'r' | 's' | 'a'
      spec: readonly RawPiece[]
      /** `{value=}` prints its own source first. */
      debug: string | null
    }

const DIGITS = /^(?:0|[1-9](?:_?\d)*|0(?:_?0)*)$/
const FLOAT = /^(?:(?:\d(?:_?\d)*)?\.\d(?:_?\d)*|\d(?:_?\d)*\.?)(?:[eE][+-]?\d(?:_?\d)*)?$/
const BASED = /^0(?:[xX](?:_?[\da-fA-F])+|[oO](?:_?[0-7])+|[bB](?:_?[01])+)$/

export function numberOf(text: string, line: number): bigint | number {
  const bare = text.replaceAll('_', '')
  if (BASED.test(text) || DIGITS.test(text)) {
    if (bare.length > LIMITS.bits / 4) throw new ProgramError(line, 'the integer has too many digits')
    return BigInt(bare)
  }
  if (FLOAT.test(text)) return Number(bare)
  if (/^[\d._eE+-]+[jJ]$/.test(text)) throw new ProgramError(line, 'complex numbers are not supported')
  if (/^0\d/.test(text))
    throw new ProgramError(
      line,
      'SyntaxError: leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers',
    )
  throw new ProgramError(line, `SyntaxError: invalid decimal literal "${text.slice(0, 40)}"`)
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['\n', ''],
])
const ESCAPE = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|N\{|[0-7]{1,3}|[\s\S])/g

export function unescaped(raw: string, line: number): string {
  if (!raw.includes('\\')) return raw
  return raw.replace(ESCAPE, (whole) => {
    const kind = whole[1]!
    const simple = ESCAPES.get(kind)
    if (simple !== undefined) return simple
    if (kind >= '0' && kind <= '7') return String.fromCodePoint(Number.parseInt(whole.slice(1), 8))
    if (whole.startsWith('\\N{')) throw new ProgramError(line, 'characters by name (\\N{…}) are not supported')
    if ('xuU'.includes(kind)) {
      const code = whole.length > 2 ? Number.parseInt(whole.slice(2), 16) : Number.NaN
      if (!(code <= 0x10_ff_ff)) throw new ProgramError(line, `SyntaxError: truncated \\${kind} escape`)
      return String.fromCodePoint(code)
    }
    return whole
  })
}

export const STRING_START = /(?:[rR][bBfF]?|[bB][rR]?|[fF][rR]?|[uU])?(?:'''|"""|'|")/y

/** What opens a string at a place: its letters and its quote. Null where none does. */
export function opening(text: string, at: number): { flags: string; quote: string } | null {
  STRING_START.lastIndex = at
  const match = STRING_START.exec(text)
  if (!match) return null
  const quoteAt = match[0].search(/['"]/)
  return { flags: match[0].slice(0, quoteAt).toLowerCase(), quote: match[0].slice(quoteAt) }
}

export interface ReadString {
  /** One past the closing quote. */
  end: number
  lines: number
  pieces: RawPiece[]
}

/** Reads strings and f-strings; what stands in braces may hold strings with the same quotes, as since Python 3.12. */
export class StringReader {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** Reads the string that opens at a place. */
  read(at: number, line: number, depth = 0): ReadString {
    const { flags, quote } = opening(this.#text, at)!
    const from = at + flags.length + quote.length
    if (flags.includes('f')) {
      if (depth > LIMITS.formats) throw new ProgramError(line, 'f-strings are nested too deep')
      return this.#format(from, { quote, isRaw: flags.includes('r'), line, depth })
    }
    const text = this.#text
    let end = from
    let lines = 0
    while (!text.startsWith(quote, end)) {
      const char = text[end]
      if (char === undefined || (char === '\n' && quote.length === 1)) throw unterminated(quote, line)
      const width = char === '\\' ? 2 : 1
      if (char === '\n' || (width === 2 && text[end + 1] === '\n')) lines += 1
      end += width
    }
    const raw = text.slice(from, end)
    return {
      end: end + quote.length,
      lines,
      pieces: [{ text: flags.includes('r') ? raw : unescaped(raw, line) }],
    }
  }

  #format(from: number, string: { quote: string; isRaw: boolean; line: number; depth: number }): ReadString {
    const { quote, isRaw, line } = string
    const text = this.#text
    const pieces: RawPiece[] = []
    let at = from
    let start = from
    let lines = 0
    let literal = ''
    const flush = (): void => {
      literal += this.#literal(start, at, isRaw, line)
      if (literal !== '') pieces.push({ text: literal })
      literal = ''
    }
    while (!text.startsWith(quote, at)) {
      const char = text[at]
      if (char === undefined || (char === '\n' && quote.length === 1)) throw unterminated(quote, line)
      if ((char === '{' || char === '}') && text[at + 1] === char) {
        literal += this.#literal(start, at, isRaw, line) + char
        at += 2
        start = at
      } else if (char === '}') throw new ProgramError(line + lines, "SyntaxError: f-string: single '}' is not allowed")
      else if (char === '{') {
        flush()
        const read = this.#replacement(at + 1, { ...string, line: line + lines })
        pieces.push(read.piece)
        at = read.end
        lines += read.lines
        start = at
      } else {
        const width = char === '\\' && text[at + 1] !== '{' && text[at + 1] !== '}' ? 2 : 1
        if (char === '\n' || (width === 2 && text[at + 1] === '\n')) lines += 1
        at += width
      }
    }
    flush()
    return { end: at + quote.length, lines, pieces }
  }

  #literal(start: number, end: number, isRaw: boolean, line: number): string {
    const raw = this.#text.slice(start, end)
    return isRaw ? raw : unescaped(raw, line)
  }

  /** `{expression!conversion:spec}` after its opening brace. */
  #replacement(
    from: number,
    string: { quote: string; isRaw: boolean; line: number; depth: number },
  ): { piece: RawPiece; end: number; lines: number } {
    const text = this.#text
    const { line, depth } = string
    const open: string[] = []
    let at = from
    let lines = 0
    for (; ; at++) {
      const char = text[at]
      if (char === undefined) throw new ProgramError(line, "SyntaxError: f-string: expecting '}'")
      const isString = char === '"' || char === "'"
      if (isString && text.startsWith(string.quote, at) && !this.#closesLater(at, string.quote))
        throw new ProgramError(line, "SyntaxError: f-string: expecting '}'")
      if (isString) {
        // The letters before the quote belong to the string, except that they are part of no name.
        let start = at
        while (start > from && /[rRbBfFuU]/.test(text[start - 1]!) && at - start < 2) start -= 1
        if (start > from && /\w/.test(text[start - 1]!)) start = at
        const inner = this.read(opening(text, start) ? start : at, line + lines, depth + 1)
        lines += inner.lines
        at = inner.end - 1
      } else if (char === '\n') {
        if (string.quote.length === 1) throw new ProgramError(line, "SyntaxError: f-string: expecting '}'")
        lines += 1
      } else if (char === '#')
        throw new ProgramError(line + lines, "SyntaxError: f-string expression part cannot include '#'")
      else if ('([{'.includes(char)) {
        open.push(char)
        if (open.length > LIMITS.depth) throw new ProgramError(line, 'brackets are nested too deep')
      } else if (open.length > 0) {
        if (')]}'.includes(char)) open.pop()
      } else if (char === '}' || char === ':') break
      else if (char === '!' && text[at + 1] !== '=') break
      else if (char === ')' || char === ']')
        throw new ProgramError(line + lines, `SyntaxError: f-string: unmatched '${char}'`)
    }
    let source = text.slice(from, at)
    if (source.trim() === '') throw new ProgramError(line, 'SyntaxError: f-string: empty expression not allowed')
    let debug: string | null = null
    const equals = /(?<![=!<>])=\s*$/.exec(source)
    if (equals) {
      debug = source
      source = source.slice(0, equals.index)
    }
    let conversion: '' | 'r' | 's' | 'a' = ''
    if (text[at] === '!') {
      const letter = text[at + 1]
      if ((letter !== 'r' && letter !== 's' && letter !== 'a') || !'}:'.includes(text[at + 2] ?? ' '))
        throw new ProgramError(
          line + lines,
          "SyntaxError: f-string: invalid conversion character: expected 's', 'r', or 'a'",
        )
      conversion = letter
      at += 2
    }
    let spec: RawPiece[] = []
    if (text[at] === ':') {
      const read = this.#spec(at + 1, { ...string, line: line + lines })
      spec = read.pieces
      at = read.end
      lines += read.lines
    }
    return { piece: { source, line, conversion, spec, debug }, end: at + 1, lines }
  }

  /** Whether a quote inside braces opens a string of its own: only if the f-string is still closed afterwards. */
  #closesLater(at: number, quote: string): boolean {
    const end = this.#text.indexOf(quote, at + quote.length)
    return end >= 0 && (quote.length === 3 || !this.#text.slice(at, end).includes('\n'))
  }

  #spec(from: number, string: { quote: string; isRaw: boolean; line: number; depth: number }): ReadString {
    const { line, quote, isRaw, depth } = string
    const pieces: RawPiece[] = []
    let at = from
    let start = from
    let lines = 0
    const flush = (): void => {
      if (at > start) pieces.push({ text: this.#literal(start, at, isRaw, line) })
    }
    for (; ; at++) {
      const char = this.#text[at]
      if (char === undefined || char === '\n' || this.#text.startsWith(quote, at))
        throw new ProgramError(line, "SyntaxError: f-string: expecting '}'")
      if (char === '}') break
      if (char !== '{') continue
      if (depth > LIMITS.formats) throw new ProgramError(line, 'f-strings are nested too deep')
      flush()
      const read = this.#replacement(at + 1, { ...string, depth: depth + 1 })
      pieces.push(read.piece)
      lines += read.lines
      at = read.end - 1
      start = read.end
    }
    flush()
    return { end: at, lines, pieces }
  }
}

function unterminated(quote: string, line: number): ProgramError {
  return new ProgramError(
    line,
    quote.length === 3
      ? 'SyntaxError: unterminated triple-quoted string literal'
      : 'SyntaxError: unterminated string literal',
  )
}
