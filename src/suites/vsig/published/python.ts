/**
 * What Python does with values that the published scorers do not check: they index, unpack and multiply whatever a model
 * wrote, and an exception ends the clip. Each function throws `PythonError` where Python raises.
 */
import { isObject, pythonFloatText, readPythonJson } from '../../../suite.ts'
import { asNumber } from '../domain/points.ts'

/** An exception of the published code. */
export class PythonError extends Error {}

function raise(what: string): never {
  throw new PythonError(what)
}

/** The value, or null where the published code raises. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof PythonError) return null
    throw error
  }
}

/** `value[key]` with a fixed index: items of lists, characters of texts. */
export function itemAt(value: unknown, index: number): unknown {
  const items = typeof value === 'string' ? Array.from(value) : value
  if (!Array.isArray(items) || index >= items.length) raise(`no item ${index}`)
  return items[index]
}

/** `value.get(key)` */
export function field(value: unknown, key: string): unknown {
  if (!isObject(value)) raise('not a dict')
  return Object.hasOwn(value, key) ? value[key] : null
}

/** `len(value)` */
export function sizeOf(value: unknown): number {
  return itemsOf(value).length
}

/** `for each in value`: items, characters or keys. */
export function itemsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'string') return Array.from(value)
  return isObject(value) ? Object.keys(value) : raise('not iterable')
}

/** `text in value`: a key, an item or a part of a text. */
export function contains(value: unknown, text: string): boolean {
  if (isObject(value)) return Object.hasOwn(value, text)
  if (Array.isArray(value) || typeof value === 'string') return value.includes(text)
  return raise('not a container')
}

/** A value in arithmetic. Booleans are numbers; a text times a number is a text, but nothing here survives that. */
export function numberOf(value: unknown): number {
  return asNumber(value) ?? raise('not a number')
}

/** `int(value)` of a number. */
export function wholeNumber(value: number): number {
  return Number.isFinite(value) ? Math.trunc(value) : raise('no integer')
}

/** `value ** 2`, which overflows for finite numbers but not for infinite ones. */
function squared(value: number): number {
  const square = value * value
  return Number.isFinite(value) && !Number.isFinite(square) ? raise('overflow') : square
}

export function distance(a: readonly [number, number], b: readonly [number, number]): number {
  return Math.sqrt(squared(a[0] - b[0]) + squared(a[1] - b[1]))
}

/** `max(a, b)` and `min(a, b)`: the first, unless the second is greater or less. NaN is neither. */
export const greater = (a: number, b: number): number => (b > a ? b : a)
export const lesser = (a: number, b: number): number => (b < a ? b : a)

/** `a, b = value`, then used as numbers. */
export function numberPair(value: unknown): [number, number] {
  const items = itemsOf(value)
  return items.length === 2 ? [numberOf(items[0]), numberOf(items[1])] : raise('not two values')
}

/** The mean of the first two numbers of each item. */
export function meanPair(points: readonly unknown[]): [number, number] {
  const meanAt = (index: number): number =>
    points.reduce((sum: number, point) => sum + numberOf(itemAt(point, index)), 0) / points.length
  return [meanAt(0), meanAt(1)]
}

/** `[[p[1], p[0]] for p in points]`, or the same for a single point. */
export function swapped(points: unknown): unknown {
  if (!Array.isArray(itemAt(points, 0))) return [itemAt(points, 1), itemAt(points, 0)]
  return itemsOf(points).map((point) => [itemAt(point, 1), itemAt(point, 0)])
}

/** `str(value)`; enough to compare with option letters. */
export function textOf(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : pythonFloatText(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What `str.strip` removes and `\s` matches: not the byte order mark, but separators that JavaScript leaves alone. */
// oxlint-disable-next-line no-control-regex -- Python counts these as white space
const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/

/** `text.strip()` */
export function stripped(text: string): string {
  let from = 0
  while (from < text.length && SPACE.test(text[from]!)) from++
  return strippedEnd(text.slice(from))
}

/** `text.rstrip()` */
export function strippedEnd(text: string): string {
  let to = text.length
  while (to > 0 && SPACE.test(text[to - 1]!)) to--
  return text.slice(0, to)
}

/** Python's recursion limit, less what the published code uses itself. */
const MAX_NESTING = 990

/** `json.loads(text)`; undefined for a JSONDecodeError. Deep nesting raises another exception, which nothing catches. */
export function loads(text: string): unknown {
  if (isTooDeep(text)) raise('recursion limit')
  return readPythonJson(text)
}

function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 34) at = endOfString(text, at + 1)
    else if (code === 91 || code === 123) {
      if (++depth > MAX_NESTING) return true
    } else if (code === 93 || code === 125) depth--
  }
  return false
}

function endOfString(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) !== 34) at += text.charCodeAt(at) === 92 ? 2 : 1
  return at
}

/** `text.isupper()` */
export function isUpper(text: string): boolean {
  return text === text.toUpperCase() && text !== text.toLowerCase()
}

/** `json.dumps(value, ensure_ascii=False)` */
export function dumps(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(dumps).join(', ')}]`
  if (!isObject(value)) return typeof value === 'number' ? textOf(value) : JSON.stringify(value ?? null)
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${dumps(item)}`)
    .join(', ')}}`
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** `repr(texts)` */
export function pythonRepr(texts: readonly string[]): string {
  const quoted = texts.map((text) => {
    const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
    const inner = text.replaceAll(/[\\\n\r\t]/g, (found) => ESCAPES[found]!)
    return `${quote}${quote === "'" ? inner.replaceAll("'", "\\'") : inner}${quote}`
  })
  return `[${quoted.join(', ')}]`
}
