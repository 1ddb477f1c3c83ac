/** `format(value, spec)` of numbers and texts. */
import { pythonFloatText } from '../../../../../suite.ts'
import { type Num, toFloat } from './arithmetic.ts'
import { fixed, positional, scientific, significant } from './decimal.ts'
import { fault } from './errors.ts'
import type { Runtime } from './runtime.ts'

interface Spec {
  fill: string
  align: string
  sign: string
  isAlternate: boolean
  width: number
  grouping: string
  precision: number | null
  kind: string
}

const SPEC = /^(?:([\s\S])?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([\s\S])?$/u

function parsed(rt: Runtime, text: string, type: string): Spec {
  rt.work(1 + text.length / 16)
  const match = SPEC.exec(text)
  if (!match) throw fault(rt, 'ValueError', 'Invalid format specifier')
  const [, fill, align, sign = '', , alternate, zero, width, grouping = '', precision, kind = ''] = match
  const size = Number(width ?? 0)
  rt.text(size)
  rt.text(Number(precision ?? 0))
  if (kind !== '' && !'bcdoxXneEfFgG%s'.includes(kind))
    throw fault(rt, 'ValueError', `Unknown format code '${kind}' for object of type '${type}'`)
  return {
    fill: fill ?? (zero === undefined ? ' ' : '0'),
    align: align ?? (zero !== undefined && type !== 'str' ? '=' : ''),
    sign,
    isAlternate: alternate !== undefined,
    width: size,
    grouping,
    precision: precision === undefined ? null : Number(precision),
    kind,
  }
}

export function formatText(rt: Runtime, value: string, text: string): string {
  if (text === '') return value
  const spec = parsed(rt, text, 'str')
  if (spec.kind !== '' && spec.kind !== 's')
    throw fault(rt, 'ValueError', `Unknown format code '${spec.kind}' for object of type 'str'`)
  if (spec.sign !== '') throw fault(rt, 'ValueError', 'Sign not allowed in string format specifier')
  if (spec.align === '=') throw fault(rt, 'ValueError', "'=' alignment not allowed in string format specifier")
  const points = spec.precision === null ? value : Array.from(value).slice(0, spec.precision).join('')
  return aligned(points, { ...spec, align: spec.align === '' ? '<' : spec.align })
}

export function formatNumber(rt: Runtime, value: Num, text: string): string {
  const type = typeof value === 'bigint' ? 'int' : 'float'
  if (text === '') return type === 'int' ? String(value) : pythonFloatText(Number(value))
  const spec = parsed(rt, text, type)
  if (spec.kind === 's') throw fault(rt, 'ValueError', `Unknown format code 's' for object of type '${type}'`)
  if (spec.grouping === ',' && spec.kind !== '' && 'boxXcn'.includes(spec.kind))
    throw fault(rt, 'ValueError', `Cannot specify ',' with '${spec.kind}'.`)
  const isInteger = typeof value === 'bigint' && 'bcdoxXn'.includes(spec.kind || 'd')
  if (typeof value === 'number' && spec.kind !== '' && 'bcdoxX'.includes(spec.kind))
    throw fault(rt, 'ValueError', `Unknown format code '${spec.kind}' for object of type 'float'`)
  if (isInteger) return integerFormat(rt, value, spec)
  const number = toFloat(rt, value)
  const isNegative = number < 0 || Object.is(number, -0)
  return padded(signOf(isNegative, spec), floatDigits(number, spec), spec)
}

function signOf(isNegative: boolean, { sign }: Spec): string {
  return isNegative ? '-' : sign === '-' ? '' : sign
}

const RADIX: Readonly<Record<string, number>> = { b: 2, o: 8, x: 16, X: 16 }

function integerFormat(rt: Runtime, value: bigint, spec: Spec): string {
  if (spec.precision !== null) throw fault(rt, 'ValueError', 'Precision not allowed in integer format specifier')
  if (spec.kind === 'c') {
    if (value < 0n || value > 0x10_ff_ffn) throw fault(rt, 'OverflowError', '%c arg not in range(0x110000)')
    return aligned(String.fromCodePoint(Number(value)), { ...spec, align: spec.align || '<' })
  }
  const radix = RADIX[spec.kind] ?? 10
  const size = value < 0n ? -value : value
  let digits = size.toString(radix)
  if (spec.kind === 'X') digits = digits.toUpperCase()
  const prefix = spec.isAlternate && radix !== 10 ? `0${spec.kind}` : ''
  return padded(signOf(value < 0n, spec) + prefix, digits, spec, radix === 10 ? 3 : 4)
}

/** The digits of |number|, without a sign. */
function floatDigits(number: number, spec: Spec): string {
  const { kind, isAlternate } = spec
  const isUpper = kind === 'E' || kind === 'F' || kind === 'G'
  if (!Number.isFinite(number)) {
    const word = (Number.isNaN(number) ? 'nan' : 'inf') + (kind === '%' ? '%' : '')
    return isUpper ? word.toUpperCase() : word
  }
  const size = Math.abs(number)
  const precision = spec.precision ?? 6
  let text: string
  switch (kind.toLowerCase()) {
    case 'f':
      text = fixed(size, precision)
      break
    case '%':
      return `${fixed(size * 100, precision)}%`
    case 'e': {
      const { digits, exponent } = significant(size, precision + 1)
      text = scientific(digits, exponent)
      break
    }
    case 'g':
    case 'n':
      text = general(size, precision === 0 ? 1 : precision, isAlternate)
      break
    default:
      text = plain(size, spec.precision, isAlternate)
  }
  if (isAlternate && !text.includes('.')) text = text.replace(/(?=e|$)/, '.')
  return isUpper ? text.toUpperCase() : text
}

function general(size: number, precision: number, keepsZeros: boolean): string {
  const { digits, exponent } = significant(size, precision)
  const kept = keepsZeros ? digits : digits.replace(/0+$/, '') || '0'
  if (exponent < -4 || exponent >= precision) return scientific(kept, exponent)
  return positional(kept, exponent)
}

/** Without a kind: as `repr`, or general with a digit after the point. */
function plain(size: number, precision: number | null, keepsZeros: boolean): string {
  if (precision === null) return pythonFloatText(size)
  const count = Math.max(precision, 1)
  const { digits, exponent } = significant(size, count)
  const kept = keepsZeros ? digits : digits.replace(/0+$/, '') || '0'
  if (exponent < -4 || exponent >= count - 1) return scientific(kept, exponent)
  const text = positional(kept, exponent)
  return text.includes('.') ? text : `${text}.0`
}

function padded(sign: string, digits: string, spec: Spec, group = 3): string {
  const { grouping, width } = spec
  const align = spec.align === '' ? '>' : spec.align
  const match = (group === 4 ? /^([\da-fA-F]+)(.*)$/s : /^(\d+)(.*)$/s).exec(digits)
  let body = digits
  if (grouping !== '' && match) {
    let whole = match[1]!
    const tail = match[2]!
    if (spec.fill === '0' && align === '=') {
      // Zeros in front are grouped as well.
      const room = width - sign.length - tail.length
      while (grouped(whole, grouping, group).length < room) whole = `0${whole}`
      body = grouped(whole, grouping, group) + tail
    } else body = grouped(whole, grouping, group) + tail
  }
  if (align === '=') return sign + spec.fill.repeat(Math.max(0, width - sign.length - body.length)) + body
  return aligned(sign + body, { ...spec, align })
}

function grouped(digits: string, separator: string, size: number): string {
  const parts: string[] = []
  for (let end = digits.length; end > 0; end -= size) parts.unshift(digits.slice(Math.max(0, end - size), end))
  return parts.join(separator)
}

function aligned(text: string, { fill, align, width }: Pick<Spec, 'fill' | 'align' | 'width'>): string {
  const missing = width - Array.from(text).length
  if (missing <= 0) return text
  if (align === '<') return text + fill.repeat(missing)
  if (align === '^') return fill.repeat(Math.floor(missing / 2)) + text + fill.repeat(Math.ceil(missing / 2))
  return fill.repeat(missing) + text
}
