/** The few habits of Python that the published behaviour depends on: how it prints, rounds, compares and reads numbers. */
import { pythonFloatText } from '../../base/text/index.ts'

/** A number that remembers whether it was written as a whole one: Python prints 8 and 8.0 differently. */
export interface Printed {
  value: number
  whole: boolean
}

/** `str()` of a number. */
export function pythonText({ value, whole }: Printed): string {
  return whole && Number.isFinite(value) ? String(value) : pythonFloatText(value)
}

/** `f'{value:.1f}'`: exact ties go to the even digit, where `toFixed` rounds them up. */
export function oneDecimal(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  const tenths = value * 4
  // Only multiples of a quarter can lie exactly between two tenths: every other binary fraction is above or below.
  if (Number.isInteger(tenths) && Math.abs(tenths) % 2 === 1) {
    const down = Math.floor(value * 10)
    return ((down % 2 === 0 ? down : down + 1) / 10).toFixed(1)
  }
  return value.toFixed(1)
}

/** `round(value)`: ties go to the even number. */
export function roundHalfEven(value: number): number {
  const down = Math.floor(value)
  const rest = value - down
  if (rest !== 0.5) return Math.round(value) + 0
  return down % 2 === 0 ? down : down + 1
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
    if (/^\s*[+-]?\d+(?:_\d+)*\s*$/.test(value)) return Number(value.trim().replaceAll('_', ''))
    throw new PythonError('ValueError', `invalid literal for int() with base 10: '${value}'`)
  }
  throw new PythonError(
    'TypeError',
    `int() argument must be a string, a bytes-like object or a real number, not '${typeName(value)}'`,
  )
}

/** `json.loads(text, strict=False)`: raw control characters in strings, `NaN` and `Infinity` are read. */
export function pythonJson(text: string): unknown {
  const marks = new Map<string, number>([
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['-Infinity', Number.NEGATIVE_INFINITY],
  ])
  const MARK = '\u0001python:'
  let out = ''
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (inString) {
      if (char === '\\') {
        out += char + (text[i + 1] ?? '')
        i += 1
      } else if (char < ' ') out += `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
      else {
        if (char === '"') inString = false
        out += char
      }
      continue
    }
    const word =
      char === 'N' || char === 'I' || char === '-'
        ? [...marks.keys()].find((mark) => text.startsWith(mark, i))
        : undefined
    if (word) {
      out += JSON.stringify(MARK + word)
      i += word.length - 1
      continue
    }
    if (char === '"') inString = true
    out += char
  }
  try {
    return JSON.parse(out, (_, value: unknown) =>
      typeof value === 'string' && value.startsWith(MARK) ? marks.get(value.slice(MARK.length)) : value,
    )
  } catch {
    throw new PythonError('JSONDecodeError', 'not JSON')
  }
}
