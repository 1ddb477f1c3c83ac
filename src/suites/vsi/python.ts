/** The few habits of Python that published behaviour depends on: its JSON, its `str`, its rounding. */
import { pythonFloatText } from '../../base/text/index.ts'

/** A JSON number that remembers whether it was written as a whole one: Python prints 4 and 4.0 differently. */
export class PythonNumber {
  readonly value: number
  readonly whole: boolean
  readonly text: string

  constructor(text: string) {
    this.text = text
    this.whole = /^-?\d+$/.test(text)
    this.value = text === 'NaN' ? Number.NaN : Number(text)
  }
}

export type PythonValue = null | boolean | string | PythonNumber | PythonValue[] | { [key: string]: PythonValue }

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y
const WORDS = ['true', 'false', 'null', 'NaN', 'Infinity', '-Infinity'] as const
const SPACE = /[ \t\n\r]*/y
// A reply is hostile: nesting deeper than Python's own limit is an error there too.
const MAX_DEPTH = 900

/** What `json.loads` makes of a text, `NaN` and `Infinity` included; undefined where it raises. */
export function pythonJson(text: string): PythonValue | undefined {
  let at = 0
  const skip = (): void => {
    SPACE.lastIndex = at
    SPACE.exec(text)
    at = SPACE.lastIndex
  }
  const value = (depth: number): PythonValue | undefined => {
    if (depth > MAX_DEPTH) return undefined
    const char = text[at]
    if (char === '"') return string()
    if (char === '{') return object(depth)
    if (char === '[') return array(depth)
    for (const word of WORDS) {
      if (!text.startsWith(word, at)) continue
      at += word.length
      if (word === 'null') return null
      return word === 'true' || word === 'false' ? word === 'true' : new PythonNumber(word)
    }
    NUMBER.lastIndex = at
    const match = NUMBER.exec(text)
    if (match === null) return undefined
    at = NUMBER.lastIndex
    return new PythonNumber(match[0])
  }
  const string = (): string | undefined => {
    const from = at
    for (at += 1; at < text.length; at++) {
      if (text[at] === '\\') at += 1
      else if (text[at] === '"') {
        at += 1
        try {
          return JSON.parse(text.slice(from, at)) as string
        } catch {
          return undefined
        }
      }
    }
    return undefined
  }
  const object = (depth: number): PythonValue | undefined => {
    const entries: { [key: string]: PythonValue } = Object.create(null)
    at += 1
    skip()
    if (text[at] === '}') {
      at += 1
      return entries
    }
    for (;;) {
      skip()
      if (text[at] !== '"') return undefined
      const key = string()
      if (key === undefined) return undefined
      skip()
      if (text[at] !== ':') return undefined
      at += 1
      skip()
      const item = value(depth + 1)
      if (item === undefined) return undefined
      entries[key] = item
      skip()
      const next = text[at]
      at += 1
      if (next === '}') return entries
      if (next !== ',') return undefined
    }
  }
  const array = (depth: number): PythonValue | undefined => {
    const items: PythonValue[] = []
    at += 1
    skip()
    if (text[at] === ']') {
      at += 1
      return items
    }
    for (;;) {
      skip()
      const item = value(depth + 1)
      if (item === undefined) return undefined
      items.push(item)
      skip()
      const next = text[at]
      at += 1
      if (next === ']') return items
      if (next !== ',') return undefined
    }
  }
  skip()
  const result = value(0)
  skip()
  return at === text.length ? result : undefined
}

export function isPythonObject(value: PythonValue | undefined): value is { [key: string]: PythonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof PythonNumber)
}

/** Python's `bool(value)`. */
export function truthy(value: PythonValue): boolean {
  if (value instanceof PythonNumber) return value.value !== 0
  if (Array.isArray(value)) return value.length > 0
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return Boolean(value)
}

/** Python's `str(value)`. */
export function pythonStr(value: PythonValue): string {
  return typeof value === 'string' ? value : representation(value)
}

function representation(value: PythonValue): string {
  if (value === null) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (typeof value === 'string') {
    const quote = value.includes("'") && !value.includes('"') ? '"' : "'"
    const escaped = value
      .replaceAll('\\', '\\\\')
      .replaceAll('\n', '\\n')
      .replaceAll('\r', '\\r')
      .replaceAll('\t', '\\t')
    return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote
  }
  if (value instanceof PythonNumber) return value.whole ? BigInt(value.text).toString() : pythonFloatText(value.value)
  if (Array.isArray(value)) return `[${value.map(representation).join(', ')}]`
  return `{${Object.entries(value)
    .map(([key, item]) => `${representation(key)}: ${representation(item)}`)
    .join(', ')}}`
}

// str.strip() of Python: JavaScript's white space plus the information separators and NEL, minus the byte order mark.
// oxlint-disable-next-line no-control-regex -- Python counts them as white space
const PYTHON_SPACE = /[\s\x1c-\x1f\x85]/

/** Python's `text.strip()`. */
export function pythonStrip(text: string): string {
  let from = 0
  let to = text.length
  const blank = (char: string): boolean => char !== '\uFEFF' && PYTHON_SPACE.test(char)
  while (from < to && blank(text[from]!)) from++
  while (to > from && blank(text[to - 1]!)) to--
  return text.slice(from, to)
}

/**
 * Python's `f"{value:.2f}"`: exact ties go to the even digit and −0 keeps its sign; `toFixed` does neither.
 *
 * @example
 * fixed(0.125, 2) // '0.12'
 */
export function fixed(value: number, digits: number): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const size = Math.abs(value)
  // A double is an exact tie only when it is a whole number of 2^-(digits + 1).
  const binary = size * 2 ** (digits + 1)
  const twice = binary * 5 ** digits
  if (Number.isInteger(binary) && Number.isSafeInteger(twice) && twice % 2 === 1) {
    const low = (twice - 1) / 2
    const even = low % 2 === 0 ? low : low + 1
    const text = String(even).padStart(digits + 1, '0')
    return sign + (digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`)
  }
  return sign + size.toFixed(digits)
}
