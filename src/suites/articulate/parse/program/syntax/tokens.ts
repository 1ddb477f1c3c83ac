/** The words of a program, with the indentation made explicit as Python does. */
import { numberOf, opening, type RawPiece, StringReader } from './literals.ts'
import { LIMITS, ProgramError } from './problem.ts'

export type Token =
  | { kind: 'name' | 'operator' | 'keyword'; text: string; line: number }
  | { kind: 'number'; value: number | bigint; line: number }
  | { kind: 'string'; pieces: readonly RawPiece[]; isFormat: boolean; line: number }
  | { kind: 'newline' | 'indent' | 'dedent' | 'end'; line: number }

const KEYWORDS: ReadonlySet<string> = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
)

const OPERATOR = /\*\*=|\/\/=|<<=|>>=|\.\.\.|->|:=|\*\*|\/\/|<<|>>|==|!=|<=|>=|[-+*/%&|^@]=|[-+*/%=<>()[\]{},:.@&|^~]/y
const NAME = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*/uy
const NUMBER = /0[xXoObB]\w*|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?\w*/y
const TAB = 8
const CLOSES: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

export function tokensOf(source: string, firstLine = 1): Token[] {
  if (source.length > LIMITS.characters)
    throw new ProgramError(1, `the program has ${source.length} characters; at most ${LIMITS.characters} are read`)
  const text = source
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replace(/^\uFEFF/, '')
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  if (lines > LIMITS.lines)
    throw new ProgramError(LIMITS.lines, `the program has ${lines} lines; at most ${LIMITS.lines} are read`)
  return new Tokenizer(text, firstLine).run()
}

class Tokenizer {
  readonly #text: string
  readonly #strings: StringReader
  readonly #tokens: Token[] = []
  readonly #indents = [0]
  /** Brackets that are open, and where they opened. */
  readonly #open: { bracket: string; line: number }[] = []
  #at = 0
  #line: number

  constructor(text: string, firstLine: number) {
    this.#text = text
    this.#line = firstLine
    this.#strings = new StringReader(text)
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
        this.#newline()
        this.#at += 1
        this.#line += 1
        isFresh = this.#open.length === 0
      } else if (char === ' ' || char === '\t' || char === '\f') this.#at += 1
      else if (char === '#') this.#comment()
      else if (char === '\\') this.#continuation()
      else if (char === ';' && this.#open.length === 0) {
        this.#push({ kind: 'operator', text: ';', line: this.#line })
        this.#at += 1
      } else this.#word()
    }
    const unclosed = this.#open.at(-1)
    if (unclosed) throw new ProgramError(unclosed.line, `SyntaxError: '${unclosed.bracket}' was never closed`)
    this.#newline()
    while (this.#indents.length > 1) {
      this.#indents.pop()
      this.#push({ kind: 'dedent', line: this.#line })
    }
    this.#push({ kind: 'end', line: this.#line })
    return this.#tokens
  }

  /** Ends a statement, if one was begun and no bracket is open. */
  #newline(): void {
    const last = this.#tokens.at(-1)
    if (this.#open.length > 0 || !last || last.kind === 'newline' || last.kind === 'indent' || last.kind === 'dedent')
      return
    this.#push({ kind: 'newline', line: this.#line })
  }

  /** Reads the start of a line; true when there is nothing on it. */
  #indent(): boolean {
    let width = 0
    let at = this.#at
    for (; ; at++) {
      const char = this.#text[at]
      if (char === ' ') width += 1
      else if (char === '\t') width += TAB - (width % TAB)
      else if (char === '\f') width = 0
      else break
    }
    this.#at = at
    const char = this.#text[at]
    if (char === undefined) return true
    if (char === '#') {
      this.#comment()
      return this.#text[this.#at] === undefined || this.#blank()
    }
    if (char === '\n') return this.#blank()
    if (width > this.#indents.at(-1)!) {
      this.#indents.push(width)
      if (this.#indents.length > LIMITS.depth) throw new ProgramError(this.#line, 'blocks are nested too deep')
      this.#push({ kind: 'indent', line: this.#line })
    }
    while (width < this.#indents.at(-1)!) {
      this.#indents.pop()
      if (width > this.#indents.at(-1)!)
        throw new ProgramError(this.#line, 'IndentationError: unindent does not match any outer indentation level')
      this.#push({ kind: 'dedent', line: this.#line })
    }
    return false
  }

  #blank(): boolean {
    this.#at += 1
    this.#line += 1
    return true
  }

  #comment(): void {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end < 0 ? this.#text.length : end
  }

  #continuation(): void {
    if (this.#text[this.#at + 1] !== '\n')
      throw new ProgramError(this.#line, 'SyntaxError: unexpected character after line continuation character')
    this.#at += 2
    this.#line += 1
    if (this.#at >= this.#text.length) throw new ProgramError(this.#line, 'SyntaxError: unexpected EOF while parsing')
  }

  #word(): void {
    const line = this.#line
    const string = opening(this.#text, this.#at)
    if (string) {
      if (string.flags.includes('b')) throw new ProgramError(line, 'bytes are not supported')
      const { end, lines, pieces } = this.#strings.read(this.#at, line)
      this.#at = end
      this.#line += lines
      this.#push({ kind: 'string', pieces, isFormat: string.flags.includes('f'), line })
      return
    }
    const number = this.#match(NUMBER)
    if (number !== null) {
      this.#push({ kind: 'number', value: numberOf(number, line), line })
      return
    }
    const name = this.#match(NAME)
    if (name !== null) {
      this.#push({ kind: KEYWORDS.has(name) ? 'keyword' : 'name', text: name.normalize('NFKC'), line })
      return
    }
    const operator = this.#match(OPERATOR)
    if (operator === null) throw this.#strange()
    this.#bracket(operator)
    this.#push({ kind: 'operator', text: operator, line })
  }

  #bracket(operator: string): void {
    if (operator === '(' || operator === '[' || operator === '{') {
      this.#open.push({ bracket: operator, line: this.#line })
      if (this.#open.length > LIMITS.depth) throw new ProgramError(this.#line, 'brackets are nested too deep')
      return
    }
    const opens = CLOSES[operator]
    if (opens === undefined) return
    const opened = this.#open.pop()
    if (!opened) throw new ProgramError(this.#line, `SyntaxError: unmatched '${operator}'`)
    if (opened.bracket !== opens)
      throw new ProgramError(
        this.#line,
        `SyntaxError: closing parenthesis '${operator}' does not match opening parenthesis '${opened.bracket}'${
          opened.line === this.#line ? '' : ` on line ${opened.line}`
        }`,
      )
  }

  #strange(): ProgramError {
    const char = String.fromCodePoint(this.#text.codePointAt(this.#at)!)
    const code = char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
    if ('‘’“”'.includes(char))
      return new ProgramError(this.#line, `SyntaxError: invalid character '${char}' (U+${code}): use straight quotes`)
    return new ProgramError(
      this.#line,
      char > '~' ? `SyntaxError: invalid character '${char}' (U+${code})` : `SyntaxError: invalid syntax at "${char}"`,
    )
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    if (!match) return null
    this.#at = pattern.lastIndex
    return match[0]
  }

  #push(token: Token): void {
    if (this.#tokens.length >= LIMITS.tokens)
      throw new ProgramError(token.line, `the program has more than ${LIMITS.tokens} words`)
    this.#tokens.push(token)
  }
}
