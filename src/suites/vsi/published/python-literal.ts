/** Python literals as `ast.literal_eval` reads them: lists, tuples, sets, dictionaries, strings and numbers. */
import { pythonFloatText } from '../../../suite.ts'
import { stringRepresentation } from './python.ts'

/** Python's own limit on nested brackets. */
const MAX_DEPTH = 200
/** Python's own limit on the digits of a whole number. */
const MAX_DIGITS = 4300

interface Literal {
  /** Python's `repr(value)`. */
  repr: string
  /** Python's `str(value)`. */
  text: string
  /** Lists, sets and dictionaries cannot be keys or in sets. */
  hashable: boolean
  signable: boolean
}

/**
 * The items of a list, each as Python's `str` writes it; null if the text is a tuple of lists; undefined where Python
 * raises. The order of a set is that of the text, where Python's depends on its hashes.
 */
export function pythonListItems(text: string): string[] | null | undefined {
  try {
    return new Reader(text).listItems()
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const TRIVIA = /(?:[ \t\f\r\n]|#[^\r\n]*|\\(?:\r\n|[\r\n]))*/y
const NUMBER =
  /0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:(?:\d(?:_?\d)*)?\.\d(?:_?\d)*|\d(?:_?\d)*\.?)(?:[eE][+-]?\d(?:_?\d)*)?[jJ]?/y
const NAME = /True|False|None|\.\.\.(?!\.)/y
const STRING_START = /([rR]?[bB]?|[bB][rR]|[uU])('''|"""|'|")/y
const AFTER_TOKEN = /[\p{L}\p{N}_]/u

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\n': '',
}
const HEX_LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    if (text.includes('\0')) fail()
    this.#text = text.replaceAll(/\r\n?/g, '\n')
  }

  listItems(): string[] | null {
    // Blank lines may come first, but the line with the list must not be indented.
    this.#at = /^[ \t]*(?:(?:[ \t\f]*(?:#[^\n]*)?\n)*\f*)/.exec(this.#text)![0].length
    if (this.#text[this.#at] !== '[') fail()
    const items = this.#list(0)
    this.#skip()
    if (this.#at === this.#text.length) return items.map(({ text }) => text)
    // Several lists with commas between them are a tuple.
    while (this.#take(',')) {
      if (this.#atEnd()) return null
      this.#value(0)
    }
    if (!this.#atEnd()) fail()
    return null
  }

  #list(depth: number): Literal[] {
    this.#at++
    return this.#items(']', depth).items
  }

  #value(depth: number): Literal {
    if (depth > MAX_DEPTH) fail()
    this.#skip()
    const char = this.#text[this.#at]
    if (char === '[') return literal(`[${joined(this.#list(depth + 1))}]`, { hashable: false })
    if (char === '(') return this.#parenthesized(depth)
    if (char === '{') return this.#braces(depth)
    if (char === '-' || char === '+') return this.#signed(char, depth)
    const name = this.#match(NAME)
    if (name !== undefined) return literal(name === '...' ? 'Ellipsis' : name)
    return this.#string() ?? this.#number()
  }

  #items(closer: string, depth: number): { items: Literal[]; commas: number } {
    const items: Literal[] = []
    let commas = 0
    for (;;) {
      if (this.#take(closer)) return { items, commas }
      items.push(this.#value(depth))
      if (this.#take(',')) commas++
      else if (this.#take(closer)) return { items, commas }
      else fail()
    }
  }

  #parenthesized(depth: number): Literal {
    this.#at++
    const { items, commas } = this.#items(')', depth + 1)
    const [first] = items
    if (first !== undefined && commas === 0) return first
    const hashable = items.every((item) => item.hashable)
    return literal(items.length === 1 ? `(${first!.repr},)` : `(${joined(items)})`, { hashable })
  }

  #braces(depth: number): Literal {
    this.#at++
    if (this.#take('}')) return literal('{}', { hashable: false })
    const entries = new Map<string, string>()
    let colons = 0
    do {
      if (entries.size > 0 && this.#peek() === '}') break
      const key = this.#value(depth + 1)
      if (!key.hashable) fail()
      const colon = this.#take(':')
      if (colon) colons++
      else if (colons > 0) fail()
      entries.set(key.repr, colon ? `${key.repr}: ${this.#value(depth + 1).repr}` : key.repr)
    } while (this.#take(','))
    if (!this.#take('}')) fail()
    return literal(`{${[...entries.values()].join(', ')}}`, { hashable: false })
  }

  /** One sign before a number; Python takes no second one. */
  #signed(sign: string, depth: number): Literal {
    this.#at++
    this.#skip()
    const operand = this.#peek() === '(' ? this.#parenthesized(depth) : this.#number()
    if (!operand.signable) fail()
    if (sign === '+' || operand.repr === '0') return literal(operand.repr)
    return literal(operand.repr.endsWith('j') ? `(-0-${operand.repr})` : `-${operand.repr}`)
  }

  #number(): Literal {
    const word = this.#match(NUMBER)
    if (word === undefined || AFTER_TOKEN.test(this.#text[this.#at] ?? '')) fail()
    const digits = word.replaceAll('_', '')
    if (/^0[xob]/i.test(digits)) return literal(BigInt(digits).toString(), { signable: true })
    if (/^\d+$/.test(digits)) {
      if (digits.length > MAX_DIGITS || /^0+[1-9]/.test(digits)) fail()
      return literal(BigInt(digits).toString(), { signable: true })
    }
    const imaginary = /[jJ]$/.test(digits)
    const text = pythonFloatText(Number(imaginary ? digits.slice(0, -1) : digits))
    return literal(imaginary ? `${text.replace(/\.0$/, '')}j` : text, { signable: true })
  }

  /** Adjacent strings are one string; bytes and text do not mix. */
  #string(): Literal | null {
    let value = ''
    let bytes: boolean | null = null
    for (;;) {
      STRING_START.lastIndex = this.#at
      const start = STRING_START.exec(this.#text)
      if (start === null) break
      this.#at = STRING_START.lastIndex
      const prefix = start[1]!.toLowerCase()
      if (bytes !== null && bytes !== prefix.includes('b')) fail()
      bytes = prefix.includes('b')
      value += this.#quoted(start[2]!, { raw: prefix.includes('r'), bytes })
      this.#skip()
    }
    if (bytes === null) return null
    const repr = stringRepresentation(value)
    return bytes ? literal(`b${repr}`) : { ...literal(repr), text: value }
  }

  #quoted(closer: string, { raw, bytes }: { raw: boolean; bytes: boolean }): string {
    const pieces: string[] = []
    for (;;) {
      const char = this.#text[this.#at]
      if (char === undefined || (char === '\n' && closer.length === 1)) fail()
      if (this.#text.startsWith(closer, this.#at)) {
        this.#at += closer.length
        return pieces.join('')
      }
      if (bytes && char > '\x7f') fail()
      this.#at++
      if (char !== '\\') pieces.push(char)
      else if (!raw) pieces.push(this.#escape(bytes))
      else pieces.push(char, this.#text[this.#at++] ?? fail())
    }
  }

  #escape(bytes: boolean): string {
    const char = this.#text[this.#at++] ?? fail()
    const simple = SIMPLE_ESCAPES[char]
    if (simple !== undefined) return simple
    const octal = /^[0-7]{1,3}/.exec(this.#text.slice(this.#at - 1, this.#at + 2))?.[0]
    if (octal !== undefined) {
      this.#at += octal.length - 1
      return String.fromCodePoint(Number.parseInt(octal, 8))
    }
    const length = bytes && char !== 'x' ? undefined : HEX_LENGTHS[char]
    if (length === undefined) return char === 'N' && !bytes ? fail() : `\\${char}`
    const digits = this.#text.slice(this.#at, this.#at + length)
    const code = Number.parseInt(digits, 16)
    if (digits.length < length || !/^[\da-fA-F]+$/.test(digits) || code > 0x10_ffff) fail()
    this.#at += length
    return String.fromCodePoint(code)
  }

  #skip(): void {
    this.#match(TRIVIA)
  }

  #peek(): string | undefined {
    this.#skip()
    return this.#text[this.#at]
  }

  #atEnd(): boolean {
    return this.#peek() === undefined
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false
    this.#at++
    return true
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    this.#at += found?.length ?? 0
    return found
  }
}

function literal(repr: string, { hashable = true, signable = false } = {}): Literal {
  return { repr, text: repr, hashable, signable }
}

function joined(items: readonly Literal[]): string {
  return items.map(({ repr }) => repr).join(', ')
}

/** Never leaves this file. */
function fail(): never {
  throw new SyntaxError('not a Python literal')
}
