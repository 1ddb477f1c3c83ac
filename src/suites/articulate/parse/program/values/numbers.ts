/** int, float and bool. */
import { pythonFloatText } from '../../../../../suite.ts'
import { type Num, arithmetic, bitsOf, modularPower, rounded, toFloat, truncated } from './arithmetic.ts'
import { fixed, fractionOf, nearest } from './decimal.ts'
import { fault } from './errors.ts'
import { formatNumber } from './format.ts'
import { special } from './instances.ts'
import { binary, call, repr, truth } from './protocol.ts'
import type { Runtime } from './runtime.ts'
import { native } from './signature.ts'
import { type PyType, Property, type Slots, Tuple, TYPES, typeOf, type Value } from './value.ts'

/** A bool counts as an int. */
export function numOf(value: Value): Num | null {
  if (typeof value === 'bigint' || typeof value === 'number') return value
  return typeof value === 'boolean' ? (value ? 1n : 0n) : null
}

const COMPARED: Readonly<Record<string, (a: Num, b: Num) => boolean>> = {
  // The host compares integers and floats exactly.
  // oxlint-disable-next-line eqeqeq
  '==': (a, b) => a == b,
  // oxlint-disable-next-line eqeqeq
  '!=': (a, b) => a != b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
}

const slots: Slots = {
  binary(rt, operator, left, right) {
    const [a, b] = [numOf(left), numOf(right)]
    if (a === null || b === null) return undefined
    if (
      typeof left === 'boolean' &&
      typeof right === 'boolean' &&
      (operator === '&' || operator === '|' || operator === '^')
    )
      return operator === '&' ? left && right : operator === '|' ? left || right : left !== right
    return arithmetic(rt, operator, a, b)
  },
  compare(_, operator, left, right) {
    const [a, b] = [numOf(left), numOf(right)]
    return a === null || b === null ? undefined : COMPARED[operator]!(a, b)
  },
  unary(_, operator, value) {
    const number = numOf(value)!
    if (operator === '-') return -number
    if (operator === '+') return number
    return typeof number === 'bigint' ? ~number : undefined
  },
  truth: (_, value) => value !== 0 && value !== 0n,
  repr(rt, value) {
    if (typeof value === 'boolean') return value ? 'True' : 'False'
    return typeof value === 'number' ? pythonFloatText(value) : integerText(rt, numOf(value)!)
  },
  key(_, value) {
    const number = numOf(value)!
    return `n${typeof number === 'number' && Number.isInteger(number) ? BigInt(number) : String(number)}`
  },
  format: (rt, value, spec) =>
    typeof value === 'boolean' && spec === '' ? repr(rt, value) : formatNumber(rt, numOf(value)!, spec),
}

/** CPython refuses to print integers with more digits than this. */
const MAX_DIGITS = 4300

function integerText(rt: Runtime, value: Num): string {
  const text = String(value)
  if (text.length > MAX_DIGITS)
    throw fault(
      rt,
      'ValueError',
      `Exceeds the limit (${MAX_DIGITS} digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit`,
    )
  return text
}

/** An int where one is demanded: of an index, a count, a shift. */
export function indexOf(rt: Runtime, value: Value): bigint | null {
  const number = numOf(value)
  if (typeof number === 'bigint') return number
  const own = value instanceof Object ? special(rt, value, '__index__') : undefined
  const made = own === undefined ? null : call(rt, own, [])
  return typeof made === 'bigint' ? made : null
}

export function integer(rt: Runtime, value: Value): bigint {
  const made = indexOf(rt, value)
  if (made === null) throw fault(rt, 'TypeError', `'${typeOf(value).name}' object cannot be interpreted as an integer`)
  return made
}

/** A count or place that must fit into the host's numbers. */
export function count(rt: Runtime, value: Value): number {
  const made = integer(rt, value)
  if (made > 9_000_000_000_000n || made < -9_000_000_000_000n)
    throw fault(rt, 'OverflowError', 'Python int too large to convert to C ssize_t')
  return Number(made)
}

/** A float where one is demanded. */
export function real(rt: Runtime, value: Value): number {
  const number = numOf(value)
  if (number !== null) return toFloat(rt, number)
  const own = value instanceof Object ? special(rt, value, '__float__') : undefined
  const made = own === undefined ? null : call(rt, own, [])
  if (typeof made === 'number') return made
  throw fault(rt, 'TypeError', `must be real number, not ${typeOf(value).name}`)
}

const PREFIXED: Readonly<Record<string, number>> = { x: 16, o: 8, b: 2 }

function parsedInteger(rt: Runtime, text: string, base: number): bigint {
  rt.work(text.length / 8)
  const match = /^\s*([+-]?)(0[xX]_?|0[oO]_?|0[bB]_?)?([\da-zA-Z]+(?:_[\da-zA-Z]+)*)\s*$/.exec(text)
  const wrong = (): Error => fault(rt, 'ValueError', `invalid literal for int() with base ${base}: ${repr(rt, text)}`)
  if (!match) throw wrong()
  const [, sign, prefix = '', body = ''] = match
  const prefixBase = PREFIXED[prefix[1]?.toLowerCase() ?? '']
  let radix = base
  let digits = body.replaceAll('_', '')
  if (prefix !== '') {
    if (base === 0 || base === prefixBase) radix = prefixBase!
    else digits = prefix.replace('_', '') + digits
  } else if (base === 0) radix = 10
  if (digits.length > MAX_DIGITS)
    throw fault(
      rt,
      'ValueError',
      `Exceeds the limit (${MAX_DIGITS} digits) for integer string conversion: value has ${digits.length} digits; use sys.set_int_max_str_digits() to increase the limit`,
    )
  let value = 0n
  if (radix === 10 && /^\d+$/.test(digits)) value = BigInt(digits)
  else
    for (const char of digits) {
      const digit = Number.parseInt(char, 36)
      if (!(digit < radix)) throw wrong()
      value = value * BigInt(radix) + BigInt(digit)
    }
  rt.integer(bitsOf(value))
  return sign === '-' ? -value : value
}

function toInteger(rt: Runtime, value: Value, base: Value | undefined): bigint {
  if (typeof value === 'string') {
    const radix = base === undefined ? 10 : Number(integer(rt, base))
    if (radix !== 0 && (radix < 2 || radix > 36))
      throw fault(rt, 'ValueError', 'int() base must be >= 2 and <= 36, or 0')
    return parsedInteger(rt, value, radix)
  }
  if (base !== undefined) throw fault(rt, 'TypeError', "int() can't convert non-string with explicit base")
  const number = numOf(value)
  if (typeof number === 'bigint') return number
  if (typeof number === 'number') return truncated(rt, number)
  for (const name of ['__int__', '__index__', '__trunc__']) {
    const own = value instanceof Object ? special(rt, value, name) : undefined
    const made = own === undefined ? null : call(rt, own, [])
    if (typeof made === 'bigint') return made
  }
  throw fault(
    rt,
    'TypeError',
    `int() argument must be a string, a bytes-like object or a real number, not '${typeOf(value).name}'`,
  )
}

const FLOAT_TEXT = /^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?$/

function toReal(rt: Runtime, value: Value): number {
  if (typeof value !== 'string') {
    const number = numOf(value)
    if (number !== null) return toFloat(rt, number)
    const own =
      value instanceof Object ? (special(rt, value, '__float__') ?? special(rt, value, '__index__')) : undefined
    const made = own === undefined ? null : numOf(call(rt, own, []))
    if (made !== null) return Number(made)
    throw fault(rt, 'TypeError', `float() argument must be a string or a real number, not '${typeOf(value).name}'`)
  }
  rt.work(value.length / 8)
  const text = value.trim()
  if (FLOAT_TEXT.test(text)) return Number(text.replaceAll('_', ''))
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(text)
  if (!word) throw fault(rt, 'ValueError', `could not convert string to float: ${repr(rt, value)}`)
  const size = word[2]!.toLowerCase() === 'nan' ? Number.NaN : Infinity
  return word[1] === '-' ? -size : size
}

/** `round(value, places)` */
export function roundNumber(rt: Runtime, value: Num, places: Value | undefined): Num {
  if (typeof value === 'bigint') {
    const digits = places === undefined || places === null ? 0n : integer(rt, places)
    if (digits >= 0n) return value
    if (-digits > 4000n) return 0n
    const unit = 10n ** -digits
    const size = nearest(value < 0n ? -value : value, unit) * unit
    return value < 0n ? -size : size
  }
  if (places === undefined || places === null) return rounded(rt, value)
  const digits = Number(integer(rt, places))
  if (!Number.isFinite(value) || digits > 323) return value
  if (digits < -308) return value < 0 ? -0 : 0
  if (digits >= 0)
    return Math.sign(value) * Number(fixed(value, digits)) || (value < 0 || Object.is(value, -0) ? -0 : 0)
  const { over, under } = fractionOf(Math.abs(value))
  const unit = 10n ** BigInt(-digits)
  const size = Number(nearest(over, under * unit) * unit)
  return value < 0 ? -size : size
}

export function power(rt: Runtime, base: Value, exponent: Value, modulus: Value | undefined): Value {
  if (modulus === undefined || modulus === null) return binary(rt, '**', base, exponent, '** or pow()')
  const [a, b, c] = [numOf(base), numOf(exponent), numOf(modulus)]
  if (typeof a !== 'bigint' || typeof b !== 'bigint' || typeof c !== 'bigint')
    throw fault(rt, 'TypeError', 'pow() 3rd argument not allowed unless all arguments are integers')
  return modularPower(rt, a, b, c)
}

function define(type: PyType, methods: readonly (readonly [string, string, Parameters<typeof native>[2]])[]): void {
  for (const [name, parameters, body] of methods)
    type.attributes.set(name, native(`${type.name}.${name}`, `self ${parameters}`, body))
}

for (const type of [TYPES.int, TYPES.float, TYPES.bool]) Object.assign(type.slots, slots)

TYPES.int.construct = (rt, _, [value, base], named) =>
  value === undefined ? 0n : toInteger(rt, value, base ?? named.get('base'))
TYPES.float.construct = (rt, _, [value]) => (value === undefined ? 0 : toReal(rt, value))
TYPES.bool.construct = (rt, _, [value = false]) => truth(rt, value)

for (const name of ['real', 'numerator'])
  TYPES.int.attributes.set(name, new Property(native(name, 'self', (_, [self]) => numOf(self!)!)))
TYPES.int.attributes.set('imag', new Property(native('imag', 'self', () => 0n)))
TYPES.int.attributes.set('denominator', new Property(native('denominator', 'self', () => 1n)))
TYPES.float.attributes.set('real', new Property(native('real', 'self', (_, [self]) => self!)))
TYPES.float.attributes.set('imag', new Property(native('imag', 'self', () => 0)))

define(TYPES.int, [
  [
    'bit_length',
    '',
    (_, [self]) => {
      const size = numOf(self!)!
      return size === 0n ? 0n : BigInt((size < 0n ? -size : size).toString(2).length)
    },
  ],
  [
    'bit_count',
    '',
    (_, [self]) => {
      const size = numOf(self!)!
      return BigInt((size < 0n ? -size : size).toString(2).replaceAll('0', '').length)
    },
  ],
  ['conjugate', '', (_, [self]) => numOf(self!)!],
])
define(TYPES.float, [
  ['is_integer', '', (_, [self]) => Number.isInteger(self)],
  ['conjugate', '', (_, [self]) => self!],
  [
    'as_integer_ratio',
    '',
    (rt, [self]) => {
      const value = Number(self)
      if (!Number.isFinite(value))
        throw Number.isNaN(value)
          ? fault(rt, 'ValueError', 'cannot convert NaN to integer ratio')
          : fault(rt, 'OverflowError', 'cannot convert Infinity to integer ratio')
      let { over, under } = fractionOf(value)
      while (over % 2n === 0n && under > 1n) {
        over /= 2n
        under /= 2n
      }
      return new Tuple([over, under])
    },
  ],
])
