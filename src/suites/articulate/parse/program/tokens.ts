/** The words of a program, with the indentation made explicit as Python does. */
import { LIMITS, ProgramError } from './problem.ts'

export type Token =
  | { kind: 'name' | 'operator' | 'keyword'; text: string; line: number }
  | { kind: 'number'; value: number; line: number }
  | { kind: 'string'; value: string; line: number }
  /** An f-string: texts and the sources of what stands in braces. */
  | { kind: 'format'; pieces: readonly FormatPiece[]; line: number }
  | { kind: 'newline' | 'indent' | 'dedent' | 'end'; line: number }

export type FormatPiece = { text: string } | { source: string; spec: string }

const KEYWORDS = new Set([
  'False',
  'None',
  'True',
  'and',
  'as',
  'assert',
  'async',
  'await',
  'break',
  'class',
  'continue',
  'def',
  'del',
  'elif',
  'else',
  'except',
  'finally',
  'for',
  'from',
  'global',
  'if',
  'import',
  'in',
  'is',
  'lambda',
  'nonlocal',
  'not',
  'or',
  'pass',
  'raise',
  'return',
  'try',
  'while',
  'with',
  'yield',
])

const OPERATOR = /\*\*=|\/\/=|->|\*\*|\/\/|==|!=|<=|>=|\+=|-=|\*=|\/=|%=|[-+*/%=<>()[\]{},:.@]/y
const NAME = /[A-Za-z_]\w*/y
const NUMBER = /(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y
const PREFIX = /(?:[rRbBuUfF]{0,2})(?:'''|"""|'|")/y
const TAB = 8

export function tokensOf(source: string): Token[] {
  if (source.length > LIMITS.characters)
    throw new ProgramError(1, `the program has ${source.length} characters; at most ${LIMITS.characters} are read`)
  const text = source.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  if (lines > LIMITS.lines)
    throw new ProgramError(LIMITS.lines, `the program has ${lines} lines; at most ${LIMITS.lines} are read`)
  return new Tokenizer(text).run()
}

class Tokenizer {
  readonly #text: string
  readonly #tokens: Token[] = []
  readonly #indents = [0]
  readonly #open: string[] = []
  #at = 0
  #line = 1

  constructor(text: string) {
    this.#text = text
  }

  run(): Token[] {
    const text = this.#text
    let isFresh = true
    while (this.#at < text.length) {
      if (isFresh && this.#open.length === 0) {
        isFresh = false
        if (this.#indent()) {
          isFresh = true
          continue
        }
      }
      const char = text[this.#at]!
      if (char === '\n') {
        if (this.#open.length === 0 && this.#tokens.length > 0 && this.#tokens.at(-1)!.kind !== 'newline')
          this.#push({ kind: 'newline', line: this.#line })
        this.#at += 1
        this.#line += 1
        isFresh = this.#open.length === 0
      } else if (char === ' ' || char === '\t' || char === '\f') this.#at += 1
      else if (char === '#') this.#comment()
      else if (char === '\\' && text[this.#at + 1] === '\n') {
        this.#at += 2
        this.#line += 1
      } else if (char === ';') {
        this.#push({ kind: 'newline', line: this.#line })
        this.#at += 1
      } else this.#word()
    }
    if (this.#open.length > 0) throw new ProgramError(this.#line, `"${this.#open.at(-1)}" is not closed`)
    this.#push({ kind: 'newline', line: this.#line })
    while (this.#indents.length > 1) {
      this.#indents.pop()
      this.#push({ kind: 'dedent', line: this.#line })
    }
    this.#push({ kind: 'end', line: this.#line })
    return this.#tokens
  }

  /** Reads the start of a line; true when there is nothing on it. */
  #indent(): boolean {
    let width = 0
    let at = this.#at
    for (; ; at++) {
      const char = this.#text[at]
      if (char === ' ') width += 1
      else if (char === '\t') width += TAB - (width % TAB)
      else if (char !== '\f') break
    }
    this.#at = at
    const char = this.#text[at]
    if (char === undefined) return true
    if (char === '\n') {
      this.#at += 1
      this.#line += 1
      return true
    }
    if (char === '#') {
      this.#comment()
      return false
    }
    if (width > this.#indents.at(-1)!) {
      this.#indents.push(width)
      if (this.#indents.length > LIMITS.depth) throw new ProgramError(this.#line, 'the program is nested too deep')
      this.#push({ kind: 'indent', line: this.#line })
    }
    while (width < this.#indents.at(-1)!) {
      this.#indents.pop()
      if (width > this.#indents.at(-1)!)
        throw new ProgramError(this.#line, 'the indentation does not match any outer level')
      this.#push({ kind: 'dedent', line: this.#line })
    }
    return false
  }

  #comment(): void {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end < 0 ? this.#text.length : end
  }

  #word(): void {
    const prefix = this.#match(PREFIX)
    if (prefix !== null) {
      this.#string(prefix)
      return
    }
    const number = this.#match(NUMBER)
    if (number !== null) {
      const value = Number(number.replaceAll('_', ''))
      if (!Number.isFinite(value)) throw new ProgramError(this.#line, `"${number}" is not a number`)
      this.#push({ kind: 'number', value, line: this.#line })
      return
    }
    const name = this.#match(NAME)
    if (name !== null) {
      this.#push({ kind: KEYWORDS.has(name) ? 'keyword' : 'name', text: name, line: this.#line })
      return
    }
    const operator = this.#match(OPERATOR)
    if (operator === null) throw new ProgramError(this.#line, `"${this.#text[this.#at]}" has no meaning here`)
    if ('([{'.includes(operator)) {
      this.#open.push(operator)
      if (this.#open.length > LIMITS.depth) throw new ProgramError(this.#line, 'brackets are nested too deep')
    } else if (')]}'.includes(operator)) {
      const opened = this.#open.pop()
      if (opened === undefined || '([{'.indexOf(opened) !== ')]}'.indexOf(operator))
        throw new ProgramError(this.#line, `"${operator}" does not match${opened ? ` "${opened}"` : ' any bracket'}`)
    }
    this.#push({ kind: 'operator', text: operator, line: this.#line })
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    if (!match) return null
    this.#at = pattern.lastIndex
    return match[0]
  }

  #string(prefix: string): void {
    const line = this.#line
    const quote = /['"]+$/.exec(prefix)![0]
    const flags = prefix.slice(0, -quote.length).toLowerCase()
    if (flags.includes('b')) throw new ProgramError(line, 'bytes are not supported')
    const from = this.#at
    let at = from
    while (!this.#text.startsWith(quote, at)) {
      const char = this.#text[at]
      if (char === undefined || (char === '\n' && quote.length === 1))
        throw new ProgramError(line, 'a text is not closed')
      if (char === '\n') this.#line += 1
      at += char === '\\' ? 2 : 1
    }
    const raw = this.#text.slice(from, at)
    this.#at = at + quote.length
    const isRaw = flags.includes('r')
    if (!flags.includes('f')) this.#push({ kind: 'string', value: isRaw ? raw : unescaped(raw), line })
    else this.#push({ kind: 'format', pieces: piecesOf(raw, isRaw, line), line })
  }

  #push(token: Token): void {
    if (this.#tokens.length >= LIMITS.tokens)
      throw new ProgramError(token.line, `the program has more than ${LIMITS.tokens} words`)
    this.#tokens.push(token)
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
}

function unescaped(raw: string): string {
  return raw.includes('\\') ? raw.replace(/\\([\s\S])/g, (whole, char: string) => ESCAPES[char] ?? whole) : raw
}

function piecesOf(raw: string, isRaw: boolean, line: number): FormatPiece[] {
  const pieces: FormatPiece[] = []
  let text = ''
  const flush = (): void => {
    if (text !== '') pieces.push({ text: isRaw ? text : unescaped(text) })
    text = ''
  }
  for (let i = 0; i < raw.length; i++) {
    const char = raw[i]!
    if ((char === '{' || char === '}') && raw[i + 1] === char) {
      text += char
      i += 1
    } else if (char === '}') throw new ProgramError(line, 'a "}" in an f-string without its "{"')
    else if (char === '{') {
      flush()
      const end = closing(raw, i, line)
      const inside = raw.slice(i + 1, end)
      const cut = specAt(inside)
      pieces.push({
        source: (cut < 0 ? inside : inside.slice(0, cut)).replace(/![rsa]$/, '').replace(/=$/, ''),
        spec: cut < 0 ? '' : inside.slice(cut + 1),
      })
      i = end
    } else text += char
  }
  flush()
  return pieces
}

function closing(raw: string, from: number, line: number): number {
  let depth = 0
  for (let i = from; i < raw.length; i++) {
    if ('{[('.includes(raw[i]!)) depth += 1
    if ('}])'.includes(raw[i]!)) depth -= 1
    if (depth === 0) return i
  }
  throw new ProgramError(line, 'a "{" in an f-string without its "}"')
}

/** Where the colon before the format is, outside of brackets and quotes. */
function specAt(inside: string): number {
  let depth = 0
  let quote = ''
  for (let i = 0; i < inside.length; i++) {
    const char = inside[i]!
    if (quote !== '') {
      if (char === quote) quote = ''
    } else if (char === '"' || char === "'") quote = char
    else if ('{[('.includes(char)) depth += 1
    else if ('}])'.includes(char)) depth -= 1
    else if (char === ':' && depth === 0) return i
  }
  return -1
}
