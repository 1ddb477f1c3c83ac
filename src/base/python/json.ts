/** JSON as Python's `json` module reads it: with `NaN` and `Infinity`, and optionally raw control characters. */
import { checkStructure } from '../foreign/json.ts'

const CONSTANTS = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
} as const

export type Constant = keyof typeof CONSTANTS

export interface PythonJsonOptions {
  /** False allows raw control characters in strings, as `strict=False`. Default true. */
  strict?: boolean
  /** Converts `NaN` and the infinities. Default: the JavaScript numbers. */
  parseConstant?: (word: Constant) => unknown
}

/**
 * Python's `json.loads(text)`. Throws a `SyntaxError` where it raises.
 *
 * @example
 * parsePythonJson('[1, NaN]', { parseConstant: () => null }) // [1, null]
 */
export function parsePythonJson(text: string, options: PythonJsonOptions = {}): unknown {
  const { strict = true, parseConstant = (word) => CONSTANTS[word] } = options
  checkStructure(text)
  try {
    return JSON.parse(text)
  } catch (error) {
    if (strict && !/NaN|Infinity/.test(text)) throw error
  }
  return new Reader(text, strict, (word) => (isConstant(word) ? parseConstant(word) : Number(word))).read()
}

/** `parsePythonJson`, but undefined where it would throw. */
export function readPythonJson(text: string, options?: PythonJsonOptions): unknown {
  return orUndefined(() => parsePythonJson(text, options))
}

/** A number with its source text: Python prints 4 and 4.0 differently. */
export class PythonNumber {
  readonly value: number
  readonly whole: boolean
  readonly text: string

  constructor(text: string) {
    this.text = text
    this.whole = /^-?\d+$/.test(text)
    this.value = Number(text)
  }
}

export type PythonValue<N = PythonNumber> =
  | null
  | boolean
  | string
  | N
  | PythonValue<N>[]
  | { [key: string]: PythonValue<N> }

/** Python's `json.loads(text)` with integers and floats kept apart; undefined where it raises. */
export function readExactPythonJson(text: string): PythonValue | undefined {
  return orUndefined(() => new Reader(text, true, (word) => new PythonNumber(word)).read())
}

/** Python's `bool(value)` for JSON values; NaN is true. */
export function truthy(value: unknown): boolean {
  if (typeof value === 'number') return value !== 0
  if (value instanceof PythonNumber) return value.value !== 0
  if (Array.isArray(value)) return value.length > 0
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)
}

function isConstant(word: string): word is Constant {
  return Object.hasOwn(CONSTANTS, word)
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y
const WORD = /true|false|null|NaN|-?Infinity/y
const SPACE = /[ \t\n\r]*/y
// oxlint-disable-next-line no-control-regex -- characters that JSON must escape
const ESCAPES_OR_CONTROLS = /(?:\\.)+|[\u0000-\u001f]+/gs
// Texts may be hostile; Python also fails at its recursion limit.
const MAX_DEPTH = 900

class Reader<N> {
  readonly #text: string
  readonly #strict: boolean
  readonly #number: (word: string) => N
  #at = 0

  constructor(text: string, strict: boolean, number: (word: string) => N) {
    this.#text = text
    this.#strict = strict
    this.#number = number
  }

  read(): PythonValue<N> {
    this.#match(SPACE)
    const value = this.#value(0)
    this.#match(SPACE)
    if (this.#at < this.#text.length) this.#fail()
    return value
  }

  #value(depth: number): PythonValue<N> {
    if (depth > MAX_DEPTH) this.#fail()
    const char = this.#text[this.#at]
    if (char === '"') return this.#string()
    if (char === '{') return this.#object(depth)
    if (char === '[') return this.#array(depth)
    const word = this.#match(WORD)
    if (word === 'null') return null
    if (word === 'true' || word === 'false') return word === 'true'
    return this.#number(word ?? this.#match(NUMBER) ?? this.#fail())
  }

  #object(depth: number): PythonValue<N> {
    const entries: [string, PythonValue<N>][] = []
    this.#items('}', () => {
      if (this.#text[this.#at] !== '"') this.#fail()
      const key = this.#string()
      this.#match(SPACE)
      if (!this.#take(':')) this.#fail()
      this.#match(SPACE)
      entries.push([key, this.#value(depth + 1)])
    })
    return Object.fromEntries(entries)
  }

  #array(depth: number): PythonValue<N> {
    const items: PythonValue<N>[] = []
    this.#items(']', () => items.push(this.#value(depth + 1)))
    return items
  }

  /** Comma-separated items up to the closing bracket. */
  #items(close: string, item: () => void): void {
    this.#at++
    this.#match(SPACE)
    if (this.#take(close)) return
    for (;;) {
      item()
      this.#match(SPACE)
      if (this.#take(close)) return
      if (!this.#take(',')) this.#fail()
      this.#match(SPACE)
    }
  }

  #take(char: string): boolean {
    const found = this.#text[this.#at] === char
    if (found) this.#at++
    return found
  }

  #string(): string {
    const from = this.#at++
    while (this.#text[this.#at] !== '"') {
      if (this.#at >= this.#text.length) this.#fail()
      this.#at += this.#text[this.#at] === '\\' ? 2 : 1
    }
    const quoted = this.#text.slice(from, ++this.#at)
    return JSON.parse(this.#strict ? quoted : quoted.replaceAll(ESCAPES_OR_CONTROLS, escaped))
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    this.#at += found?.length ?? 0
    return found
  }

  #fail(): never {
    throw new SyntaxError(`Unexpected ${this.#text[this.#at] ?? 'end'} in JSON at position ${this.#at}`)
  }
}

function escaped(found: string): string {
  return found.startsWith('\\') ? found : JSON.stringify(found).slice(1, -1)
}
