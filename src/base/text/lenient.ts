/** A lenient JSON parser for model replies: one pass, bounded depth, and a list of repairs. */

export interface Read {
  value: unknown
  repairs: Set<string>
}

/** Deeper values are rejected: walking them recursively would overflow the stack. */
export const MAX_DEPTH = 200

const SPACE = /[\s\uFEFF]/
const BARE_KEY = /[\p{L}\p{N}_$.\-/° ]/u
const BARE_WORD = /^[\p{L}\p{N}_$.\-+/°%²]{1,64}$/u
const NUMBER = /^[+-]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?$/
const STRICT_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const MAX_BARE = 400

const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '‘': '’',
  '„': '“',
  '«': '»',
}

type Literal = readonly [value: unknown, repair: string | null]
const LITERALS: ReadonlyMap<string, Literal> = new Map<string, Literal>([
  ['true', [true, null]],
  ['false', [false, null]],
  ['null', [null, null]],
  ['True', [true, 'Python literals']],
  ['False', [false, 'Python literals']],
  ['None', [null, 'Python literals']],
  ['TRUE', [true, 'literals in capitals']],
  ['FALSE', [false, 'literals in capitals']],
  ['NULL', [null, 'literals in capitals']],
  ['undefined', [null, 'undefined']],
  ['NaN', [Number.NaN, 'NaN or Infinity']],
  ['nan', [Number.NaN, 'NaN or Infinity']],
  ['Infinity', [Number.POSITIVE_INFINITY, 'NaN or Infinity']],
  ['+Infinity', [Number.POSITIVE_INFINITY, 'NaN or Infinity']],
  ['inf', [Number.POSITIVE_INFINITY, 'NaN or Infinity']],
  ['-Infinity', [Number.NEGATIVE_INFINITY, 'NaN or Infinity']],
  ['-inf', [Number.NEGATIVE_INFINITY, 'NaN or Infinity']],
])

/** Never leaves this file. */
class Unreadable extends Error {}
/** A single instance: creating an error records the stack, and hostile text could throw one per bracket. */
const UNREADABLE = new Unreadable('unreadable')

/** The value of a slice that starts with `{` or `[`, or null if it cannot be read at all. */
export function readLeniently(slice: string): Read | null {
  const reader = new Reader(slice)
  try {
    const value = reader.value(0, 'nothing')
    if (!reader.atEnd()) return null
    return { value, repairs: reader.repairs }
  } catch (error) {
    if (error instanceof Unreadable) return null
    throw error
  }
}

type Inside = 'object' | 'array' | 'nothing'

class Reader {
  readonly repairs = new Set<string>()
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  atEnd(): boolean {
    this.#skip()
    return this.#at >= this.#text.length
  }

  value(depth: number, inside: Inside): unknown {
    if (depth > MAX_DEPTH) throw UNREADABLE
    this.#skip()
    const char = this.#peek()
    if (char === '{') return this.#object(depth)
    if (char === '[') return this.#list(depth, ']')
    if (char === '(') {
      this.repairs.add('tuples')
      return this.#list(depth, ')')
    }
    if (CLOSING[char] !== undefined) return this.#string('value')
    return this.#bare(inside)
  }

  #object(depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    this.#at++
    let commas = 1
    for (;;) {
      this.#skip()
      const char = this.#peek()
      if (this.#comma()) {
        commas++
        if (commas > 1) this.repairs.add('superfluous commas')
        continue
      }
      if (char === '}') {
        if (commas > 0 && Object.keys(object).length > 0) this.repairs.add('trailing commas')
        this.#at++
        return object
      }
      if (char === '') return this.#unclosed(object)
      if (char === ']' || char === ')') throw UNREADABLE
      if (this.#ellipsis()) continue
      if (commas === 0) this.repairs.add('missing commas')
      const key = CLOSING[char] === undefined ? this.#bareKey() : this.#string('key')
      this.#skip()
      if (this.#peek() === '') return this.#unclosed(object)
      if (this.#peek() === '=') this.repairs.add('equals signs for colons')
      else if (this.#peek() !== ':') throw UNREADABLE
      this.#at++
      if (this.#peek() === '>') this.#at++
      this.#skip()
      const next = this.#peek()
      let value: unknown = null
      if (next === '') return this.#unclosed(object)
      if (next === ',' || next === '}') this.repairs.add('missing values')
      else value = this.value(depth + 1, 'object')
      // A key named __proto__ stays a plain key, as in JSON.parse.
      Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
      commas = 0
      this.#skip()
      if (this.#comma()) commas = 1
    }
  }

  #list(depth: number, closer: ']' | ')'): unknown[] {
    const list: unknown[] = []
    this.#at++
    let commas = 1
    for (;;) {
      this.#skip()
      const char = this.#peek()
      if (this.#comma()) {
        commas++
        if (commas > 1) this.repairs.add('superfluous commas')
        continue
      }
      if (char === closer) {
        if (commas > 0 && list.length > 0) this.repairs.add('trailing commas')
        this.#at++
        return list
      }
      if (char === '') return this.#unclosed(list)
      if (char === '}') {
        if (depth === 0) throw UNREADABLE
        this.repairs.add('missing brackets')
        return list
      }
      if (char === ']' || char === ')' || char === ':') throw UNREADABLE
      if (this.#ellipsis()) continue
      if (commas === 0) this.repairs.add('missing commas')
      list.push(this.value(depth + 1, 'array'))
      commas = 0
      this.#skip()
      if (this.#comma()) commas = 1
    }
  }

  #comma(): boolean {
    const char = this.#peek()
    if (char !== ',' && char !== ';') return false
    if (char === ';') this.repairs.add('semicolons for commas')
    this.#at++
    return true
  }

  #unclosed<T>(value: T): T {
    this.repairs.add('closed what was cut off')
    return value
  }

  #ellipsis(): boolean {
    const long = this.#text.startsWith('...', this.#at)
    if (!long && this.#peek() !== '…') return false
    this.repairs.add('left out an ellipsis')
    this.#at += long ? 3 : 1
    this.#skip()
    this.#comma()
    return true
  }

  #string(place: 'key' | 'value'): string {
    const opener = this.#text[this.#at]!
    const closer = CLOSING[opener]!
    const triple = this.#text.startsWith(opener.repeat(3), this.#at)
    if (opener !== '"' || triple) this.repairs.add(opener === "'" && !triple ? 'single quotes' : 'unusual quotes')
    this.#at += triple ? 3 : 1
    const pieces: string[] = []
    let from = this.#at
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at]!
      if (char === '\\') {
        pieces.push(this.#text.slice(from, this.#at), this.#escape())
        from = this.#at
      } else if (triple ? this.#text.startsWith(closer.repeat(3), this.#at) : char === closer && this.#ends(place)) {
        pieces.push(this.#text.slice(from, this.#at))
        this.#at += triple ? 3 : 1
        return pieces.join('')
      } else {
        if (char === closer) this.repairs.add('unescaped quotes')
        else if (char < ' ') this.repairs.add('line breaks in strings')
        this.#at++
      }
    }
    this.repairs.add('closed what was cut off')
    pieces.push(this.#text.slice(from))
    return pieces.join('')
  }

  /** A quote ends its string only before a character that can follow a string. */
  #ends(place: 'key' | 'value'): boolean {
    let next = this.#at + 1
    let newline = false
    while (next < this.#text.length && SPACE.test(this.#text[next]!)) {
      if (this.#text[next] === '\n') newline = true
      next++
    }
    const follower = this.#text[next]
    if (follower === undefined) return true
    if (place === 'key') return follower === ':' || follower === '='
    if (',}])'.includes(follower)) return true
    if (follower === ';') return /^;\s{0,20}["'}\]]/.test(this.#text.slice(next, next + 24))
    if (follower === '/' || follower === '#') return true
    return newline && CLOSING[follower] !== undefined
  }

  #escape(): string {
    const char = this.#text[this.#at + 1]
    this.#at += 2
    switch (char) {
      case 'n':
        return '\n'
      case 't':
        return '\t'
      case 'r':
        return '\r'
      case 'b':
        return '\b'
      case 'f':
        return '\f'
      case '"':
      case '\\':
      case '/':
        return char
      case 'u':
      case 'x': {
        const length = char === 'u' ? 4 : 2
        const digits = this.#text.slice(this.#at, this.#at + length)
        if (digits.length === length && /^[0-9a-fA-F]+$/.test(digits)) {
          if (char === 'x') this.repairs.add('escapes that JSON does not have')
          this.#at += length
          return String.fromCharCode(Number.parseInt(digits, 16))
        }
        break
      }
      case undefined:
        this.repairs.add('closed what was cut off')
        return ''
      default:
        break
    }
    this.repairs.add('escapes that JSON does not have')
    if (char === "'" || char === '\n' || char === '`') return char === '\n' ? '' : char
    return `\\${char}`
  }

  #bareKey(): string {
    const from = this.#at
    while (this.#at < this.#text.length && this.#at - from < MAX_BARE && BARE_KEY.test(this.#text[this.#at]!))
      this.#at++
    const key = this.#text.slice(from, this.#at).trim()
    if (key === '') throw UNREADABLE
    this.repairs.add('keys without quotes')
    return key
  }

  #bare(inside: Inside): unknown {
    const from = this.#at
    const stop = inside === 'object' ? ',}\n' : ',]}\n)'
    while (this.#at < this.#text.length && this.#at - from <= MAX_BARE) {
      const char = this.#text[this.#at]!
      if (stop.includes(char) || char === '{' || char === '[' || char === '"') break
      if (char === '#' || this.#text.startsWith('//', this.#at)) break
      this.#at++
    }
    if (this.#at - from > MAX_BARE) throw UNREADABLE
    const word = this.#text.slice(from, this.#at).trim()
    if (STRICT_NUMBER.test(word)) return Number(word)
    const literal = LITERALS.get(word)
    if (literal !== undefined) {
      const [value, repair] = literal
      if (repair !== null) this.repairs.add(repair)
      return value
    }
    if (NUMBER.test(word)) {
      this.repairs.add('numbers that JSON does not have')
      return Number(word.replaceAll('_', ''))
    }
    // Several bare words in a list are prose in brackets, not data.
    if (word === '' || (inside === 'array' && !BARE_WORD.test(word))) throw UNREADABLE
    this.repairs.add('values without quotes')
    return word
  }

  #peek(): string {
    return this.#text[this.#at] ?? ''
  }

  /** Skips whitespace and comments. */
  #skip(): void {
    for (;;) {
      while (this.#at < this.#text.length && SPACE.test(this.#text[this.#at]!)) this.#at++
      const char = this.#text[this.#at]
      if (char === '#' || (char === '/' && this.#text[this.#at + 1] === '/')) {
        const end = this.#text.indexOf('\n', this.#at)
        this.#at = end < 0 ? this.#text.length : end
      } else if (char === '/' && this.#text[this.#at + 1] === '*') {
        const end = this.#text.indexOf('*/', this.#at + 2)
        this.#at = end < 0 ? this.#text.length : end + 2
      } else return
      this.repairs.add('comments')
    }
  }
}
