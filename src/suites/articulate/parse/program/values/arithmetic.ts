/** Arithmetic of int, float and bool, as in CPython. */
import { fractionOf, nearest } from './decimal.ts'
import { fault } from './errors.ts'
import type { Runtime } from './runtime.ts'

export type Num = bigint | number

export function bitsOf(value: bigint): number {
  const size = value < 0n ? -value : value
  // Small integers are by far the most.
  return size < 0x1_0000_0000n ? 32 - Math.clz32(Number(size)) : size.toString(16).length * 4
}

/** An int as a float; raises where it does not fit. */
export function toFloat(rt: Runtime, value: Num): number {
  const number = Number(value)
  if (typeof value === 'bigint' && !Number.isFinite(number))
    throw fault(rt, 'OverflowError', 'int too large to convert to float')
  return number
}

export function arithmetic(rt: Runtime, operator: string, a: Num, b: Num): Num | undefined {
  return typeof a === 'bigint' && typeof b === 'bigint'
    ? integers(rt, operator, a, b)
    : floats(rt, operator, toFloat(rt, a), toFloat(rt, b))
}

function integers(rt: Runtime, operator: string, a: bigint, b: bigint): Num | undefined {
  switch (operator) {
    case '+':
      return checked(rt, a + b)
    case '-':
      return checked(rt, a - b)
    case '*':
      rt.integer(bitsOf(a) + bitsOf(b))
      return a * b
    case '/':
      return trueDivision(rt, a, b)
    case '//':
    case '%':
      if (b === 0n)
        throw fault(
          rt,
          'ZeroDivisionError',
          operator === '%' ? 'integer modulo by zero' : 'integer division or modulo by zero',
        )
      return operator === '//' ? floorDivision(a, b) : modulo(a, b)
    case '**':
      return power(rt, a, b)
    case '&':
      return a & b
    case '|':
      return a | b
    case '^':
      return a ^ b
    case '<<':
    case '>>':
      return shifted(rt, operator, a, b)
    default:
      return undefined
  }
}

function checked(rt: Runtime, value: bigint): bigint {
  if (value > 0xffff_ffff_ffffn || value < -0xffff_ffff_ffffn) rt.integer(bitsOf(value))
  return value
}

export function floorDivision(a: bigint, b: bigint): bigint {
  const quotient = a / b
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient
}

export function modulo(a: bigint, b: bigint): bigint {
  const rest = a % b
  return rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest
}

/** Rounded once, however large the integers are. */
function trueDivision(rt: Runtime, a: bigint, b: bigint): number {
  if (b === 0n) throw fault(rt, 'ZeroDivisionError', 'division by zero')
  const [over, under] = [Number(a), Number(b)]
  if (Number.isSafeInteger(over) && Number.isSafeInteger(under)) return over / under
  const [n, d] = [a < 0n ? -a : a, b < 0n ? -b : b]
  // 66 bits of the quotient are enough to round to 53; the last one remembers that there was more.
  const shift = BigInt(Math.max(0, 66 - (bitsOf(n) - bitsOf(d))))
  const quotient = (n << shift) / d
  const sticky = (n << shift) % d === 0n ? 0n : 1n
  const scaled = Number((quotient << 1n) | sticky)
  // In two steps: a power of two may be beyond the floats though the quotient is not.
  const down = Number(shift) + 1
  const result = Number.isFinite(scaled) ? scaled / 2 ** Math.min(down, 1000) / 2 ** Math.max(0, down - 1000) : Infinity
  if (!Number.isFinite(result)) throw fault(rt, 'OverflowError', 'integer division result too large for a float')
  return a < 0n === b < 0n ? result : -result
}

function shifted(rt: Runtime, operator: string, a: bigint, b: bigint): bigint {
  if (b < 0n) throw fault(rt, 'ValueError', 'negative shift count')
  if (operator === '>>') return b > 1_000_000n ? (a < 0n ? -1n : 0n) : a >> b
  if (a === 0n) return 0n
  rt.integer(bitsOf(a) + Number(b))
  return a << b
}

function power(rt: Runtime, a: bigint, b: bigint): Num {
  if (b < 0n) {
    if (a === 0n) throw fault(rt, 'ZeroDivisionError', '0.0 cannot be raised to a negative power')
    return floats(rt, '**', toFloat(rt, a), toFloat(rt, b))!
  }
  if (a === 0n || a === 1n) return b === 0n ? 1n : a
  if (a === -1n) return b % 2n === 0n ? 1n : -1n
  rt.integer(bitsOf(a) * Number(b))
  return a ** b
}

function floats(rt: Runtime, operator: string, a: number, b: number): number | undefined {
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      if (b === 0) throw fault(rt, 'ZeroDivisionError', 'float division by zero')
      return a / b
    case '//':
      if (b === 0) throw fault(rt, 'ZeroDivisionError', 'float floor division by zero')
      return divmod(a, b)[0]
    case '%':
      if (b === 0) throw fault(rt, 'ZeroDivisionError', 'float modulo')
      return divmod(a, b)[1]
    case '**':
      return floatPower(rt, a, b)
    default:
      return undefined
  }
}

/** Quotient and rest of floats, after CPython's `float_divmod`. */
export function divmod(a: number, b: number): [number, number] {
  let rest = a % b
  let quotient = (a - rest) / b
  if (rest === 0) rest = b < 0 ? -0 : 0
  else if (b < 0 !== rest < 0) {
    rest += b
    quotient -= 1
  }
  if (quotient === 0) return [a / b < 0 ? -0 : 0, rest]
  const floor = Math.floor(quotient)
  return [quotient - floor > 0.5 ? floor + 1 : floor, rest]
}

function floatPower(rt: Runtime, a: number, b: number): number {
  if (a === 1 || b === 0) return 1
  if (a === -1 && !Number.isFinite(b) && !Number.isNaN(b)) return 1
  if (a === 0 && b < 0) throw fault(rt, 'ZeroDivisionError', '0.0 cannot be raised to a negative power')
  if (a < 0 && Number.isFinite(a) && Number.isFinite(b) && !Number.isInteger(b))
    throw fault(rt, 'ValueError', 'a negative number to a fractional power is complex, which is not supported')
  const result = a ** b
  if (!Number.isFinite(result) && Number.isFinite(a) && Number.isFinite(b))
    throw fault(rt, 'OverflowError', 34n, 'Numerical result out of range')
  return result
}

/** `pow(base, exponent, modulus)` */
export function modularPower(rt: Runtime, base: bigint, exponent: bigint, modulus: bigint): bigint {
  if (modulus === 0n) throw fault(rt, 'ValueError', 'pow() 3rd argument cannot be 0')
  let [result, factor, left] = [1n, modulo(base, modulus), exponent]
  if (left < 0n) {
    factor = inverse(rt, factor, modulus)
    left = -left
  }
  for (; left > 0n; left >>= 1n) {
    rt.work(1 + bitsOf(modulus) / 16)
    if (left & 1n) result = modulo(result * factor, modulus)
    factor = modulo(factor * factor, modulus)
  }
  return modulo(result, modulus)
}

function inverse(rt: Runtime, value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [modulo(value, modulus), modulus, 1n, 0n]
  while (b !== 0n) {
    rt.work()
    const q = floorDivision(a, b)
    ;[a, b] = [b, a - q * b]
    ;[x, y] = [y, x - q * y]
  }
  if (a !== 1n && a !== -1n) throw fault(rt, 'ValueError', 'base is not invertible for the given modulus')
  return modulo(x * a, modulus)
}

/** The nearest integer, halves to even. */
export function rounded(rt: Runtime, value: number): bigint {
  if (Number.isNaN(value)) throw fault(rt, 'ValueError', 'cannot convert float NaN to integer')
  if (!Number.isFinite(value)) throw fault(rt, 'OverflowError', 'cannot convert float infinity to integer')
  const { over, under } = fractionOf(Math.abs(value))
  const whole = nearest(over, under)
  return value < 0 ? -whole : whole
}

/** Toward zero. */
export function truncated(rt: Runtime, value: number): bigint {
  if (Number.isNaN(value)) throw fault(rt, 'ValueError', 'cannot convert float NaN to integer')
  if (!Number.isFinite(value)) throw fault(rt, 'OverflowError', 'cannot convert float infinity to integer')
  return BigInt(Math.trunc(value))
}
