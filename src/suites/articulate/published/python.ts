/** What the published code leaves to Python's types and errors. */
import { pythonFloat, pythonFloatText, readPythonJson } from '../../../suite.ts'

/** What `str.strip()` takes away. */
export const PYTHON_SPACE: ReadonlySet<string> = new Set(
  '\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
)
/** Decimal digits of any script. Each digit can match in only one way. */
const INTEGER = /^[+-]?\p{Nd}+(?:_\p{Nd}+)*$/u

/** `str.strip(characters)`. */
export function strip(text: string, characters: ReadonlySet<string>): string {
  let [from, to] = [0, text.length]
  while (from < to && characters.has(text[from]!)) from++
  while (to > from && characters.has(text[to - 1]!)) to--
  return text.slice(from, to)
}

/** A number that remembers whether it was written as a whole one: Python prints 8 and 8.0 differently. */
export interface Printed {
  value: number
  whole: boolean
}

/** `str()` of a number. */
export function pythonText({ value, whole }: Printed): string {
  return whole && Number.isFinite(value) ? String(value) : pythonFloatText(value)
}

export class PythonError extends Error {
  override readonly name = 'PythonError'
  readonly kind: string

  constructor(kind: string, message: string) {
    super(message)
    this.kind = kind
  }
}

export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'str'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  return Array.isArray(value) ? 'list' : 'dict'
}

/** What Python takes for a number, booleans included; else its `TypeError` of a comparison. */
export function comparable(value: unknown, operator: string, otherType: string): number {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  throw new PythonError(
    'TypeError',
    `'${operator}' not supported between instances of '${typeName(value)}' and '${otherType}'`,
  )
}

/** `int(value)` of what JSON can hold. */
export function pythonInt(value: unknown): number {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number') {
    if (Number.isNaN(value)) throw new PythonError('ValueError', 'cannot convert float NaN to integer')
    if (!Number.isFinite(value)) throw new PythonError('OverflowError', 'cannot convert float infinity to integer')
    return Math.trunc(value)
  }
  if (typeof value === 'string') {
    const read = INTEGER.test(strip(value, PYTHON_SPACE)) ? pythonFloat(strip(value, PYTHON_SPACE)) : null
    if (read !== null) return read
    throw new PythonError('ValueError', `invalid literal for int() with base 10: '${value}'`)
  }
  throw new PythonError(
    'TypeError',
    `int() argument must be a string, a bytes-like object or a real number, not '${typeName(value)}'`,
  )
}

/** `json.loads(text, strict=False)`: raw control characters in strings, `NaN` and `Infinity` are read. */
export function pythonJson(text: string): unknown {
  const value = readPythonJson(text, { strict: false })
  if (value === undefined) throw new PythonError('JSONDecodeError', 'not JSON')
  return value
}

/** `if value:` of what JSON can hold. */
export function isTrue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return value !== null && value !== undefined && value !== false && value !== 0 && value !== ''
}
