/** `math`, as in CPython: its domains, its errors. */
import {
  fault,
  integer,
  itemsOf,
  Module,
  natives,
  numOf,
  real,
  rounded,
  type Runtime,
  truncated,
  Tuple,
  special,
  call,
  binary,
  type Value,
} from '../values/index.ts'

/** Functions of one float. A NaN from a number means that the domain was left. */
const OF_ONE: Readonly<Record<string, (x: number) => number>> = {
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  asinh: Math.asinh,
  acosh: Math.acosh,
  atanh: Math.atanh,
  sqrt: Math.sqrt,
  cbrt: Math.cbrt,
  exp: Math.exp,
  exp2: (x) => 2 ** x,
  expm1: Math.expm1,
  log1p: Math.log1p,
  fabs: Math.abs,
  radians: (x) => x * (Math.PI / 180),
  degrees: (x) => x * (180 / Math.PI),
}

function ofOne(
  name: string,
  map: (x: number) => number,
): readonly [string, string, (rt: Runtime, args: (Value | undefined)[]) => Value] {
  return [
    name,
    'x',
    (rt, [value]) => {
      const x = real(rt, value!)
      const y = map(x)
      if (Number.isNaN(y) && !Number.isNaN(x)) throw fault(rt, 'ValueError', 'math domain error')
      if (!Number.isFinite(y) && Number.isFinite(x))
        throw name === 'atanh' || name === 'log1p'
          ? fault(rt, 'ValueError', 'math domain error')
          : fault(rt, 'OverflowError', 'math range error')
      return y
    },
  ]
}

/** Logarithms take integers of any size. */
function logarithm(rt: Runtime, value: Value, log: (x: number) => number, perBit: number): number {
  const number = numOf(value) ?? real(rt, value)
  if (number <= 0) throw fault(rt, 'ValueError', 'math domain error')
  if (typeof number === 'number' || Number.isFinite(Number(number))) return log(Number(number))
  const bits = number.toString(2).length - 64
  return log(Number(number >> BigInt(bits))) + bits * perBit
}

/** Toward −∞ or +∞; asks an object for its own way first. */
function whole(name: '__floor__' | '__ceil__' | '__trunc__', map: (x: number) => number) {
  return (rt: Runtime, [value]: (Value | undefined)[]): Value => {
    const number = numOf(value!)
    if (typeof number === 'bigint') return number
    const own = number === null ? special(rt, value!, name) : undefined
    if (own !== undefined) return call(rt, own, [])
    return truncated(rt, map(number ?? real(rt, value!)))
  }
}

function greatestDivisor(rt: Runtime, a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b]
  while (y !== 0n) {
    rt.work()
    ;[x, y] = [y, x % y]
  }
  return x
}

/** A sum without rounding on the way (Shewchuk). */
function exactSum(rt: Runtime, values: readonly Value[]): number {
  let partials: number[] = []
  let special_ = 0
  for (const value of values) {
    let x = real(rt, value)
    if (!Number.isFinite(x)) {
      special_ += x
      continue
    }
    const next: number[] = []
    for (let y of partials) {
      rt.work()
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x]
      const high = x + y
      const low = y - (high - x)
      if (low !== 0) next.push(low)
      x = high
    }
    partials = [...next, x]
  }
  if (special_ !== 0 || Number.isNaN(special_)) return special_
  return partials.reduceRight((sum, part) => sum + part, 0)
}

/** The length of a vector without the rounding of its squares: each is kept with its error. */
function vectorLength(values: readonly number[]): number {
  const largest = Math.max(0, ...values.map(Math.abs))
  if (values.some((value) => Math.abs(value) === Infinity)) return Infinity
  if (largest === 0 || Number.isNaN(largest)) return largest
  const scale = 2 ** Math.floor(Math.log2(largest))
  let [sum, error] = [0, 0]
  const add = (value: number): void => {
    const next = sum + value
    error += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
    sum = next
  }
  const square = (value: number, sign: number): void => {
    const split = 134_217_729 * value
    const high = split - (split - value)
    const low = value - high
    add(sign * high * high)
    add(sign * 2 * high * low)
    add(sign * low * low)
  }
  for (const value of values) square(value / scale, 1)
  const length = Math.sqrt(sum + error)
  square(length, -1)
  return scale * (length + (sum + error) / (2 * length))
}

function combinations(rt: Runtime, n: bigint, k: bigint, isOrdered: boolean): bigint {
  if (n < 0n || k < 0n) throw fault(rt, 'ValueError', `${n < 0n ? 'n' : 'k'} must be a non-negative integer`)
  if (k > n) return 0n
  const few = !isOrdered && k > n - k ? n - k : k
  let result = 1n
  for (let i = 0n; i < few; i++) {
    result *= n - i
    if (!isOrdered) result /= i + 1n
    rt.integer(result.toString(16).length * 4)
  }
  return result
}

function squareRoot(rt: Runtime, value: bigint): bigint {
  if (value < 0n) throw fault(rt, 'ValueError', 'isqrt() argument must be nonnegative')
  if (value < 2n) return value
  let x = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    rt.work()
    const y = (x + value / x) >> 1n
    if (y >= x) return x
    x = y
  }
}

function factorial(rt: Runtime, value: Value): bigint {
  if (typeof value === 'number') throw fault(rt, 'TypeError', `'float' object cannot be interpreted as an integer`)
  const n = integer(rt, value)
  if (n < 0n) throw fault(rt, 'ValueError', 'factorial() not defined for negative values')
  let result = 1n
  for (let i = 2n; i <= n; i++) {
    result *= i
    rt.integer(result.toString(16).length * 4)
  }
  return result
}

function isClose(rt: Runtime, a: number, b: number, relative: number, absolute: number): boolean {
  if (relative < 0 || absolute < 0) throw fault(rt, 'ValueError', 'tolerances must be non-negative')
  if (a === b) return true
  if (!Number.isFinite(a) || !Number.isFinite(b)) return false
  const difference = Math.abs(a - b)
  return difference <= Math.abs(relative * b) || difference <= Math.abs(relative * a) || difference <= absolute
}

/** The gamma function (Lanczos), for what is not a small integer. */
function gamma(x: number): number {
  if (Number.isInteger(x) && x > 0 && x < 24) {
    let result = 1
    for (let i = 2; i < x; i++) result *= i
    return result
  }
  if (x < 0.5) return Math.PI / (Math.sin(Math.PI * x) * gamma(1 - x))
  const weights = [
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ]
  const sum = weights.reduce((total, weight, i) => (i === 0 ? weight : total + weight / (x - 1 + i)), 0)
  const t = x + 6.5
  return Math.sqrt(2 * Math.PI) * t ** (x - 0.5) * Math.exp(-t) * sum
}

const FUNCTIONS = natives(
  ...Object.entries(OF_ONE).map(([name, map]) => ofOne(name, map)),
  ['floor', 'x', whole('__floor__', Math.floor)],
  ['ceil', 'x', whole('__ceil__', Math.ceil)],
  ['trunc', 'x', whole('__trunc__', Math.trunc)],
  [
    'log',
    'x base?',
    (rt, [value, base]) => {
      const top = logarithm(rt, value!, Math.log, Math.LN2)
      if (base === undefined) return top
      const bottom = logarithm(rt, base, Math.log, Math.LN2)
      if (bottom === 0) throw fault(rt, 'ZeroDivisionError', 'float division by zero')
      return top / bottom
    },
  ],
  ['log2', 'x', (rt, [value]) => logarithm(rt, value!, Math.log2, 1)],
  ['log10', 'x', (rt, [value]) => logarithm(rt, value!, Math.log10, Math.LOG10E * Math.LN2)],
  ['atan2', 'y x', (rt, [y, x]) => Math.atan2(real(rt, y!), real(rt, x!))],
  [
    'pow',
    'x y',
    (rt, [x, y]) => {
      const [a, b] = [real(rt, x!), real(rt, y!)]
      const made = a === 1 || b === 0 ? 1 : a ** b
      if (Number.isNaN(made) && !Number.isNaN(a) && !Number.isNaN(b)) throw fault(rt, 'ValueError', 'math domain error')
      if (!Number.isFinite(made) && Number.isFinite(a) && Number.isFinite(b))
        throw a === 0 ? fault(rt, 'ValueError', 'math domain error') : fault(rt, 'OverflowError', 'math range error')
      return made
    },
  ],
  [
    'fmod',
    'x y',
    (rt, [x, y]) => {
      const [a, b] = [real(rt, x!), real(rt, y!)]
      if ((b === 0 || !Number.isFinite(a)) && !Number.isNaN(a) && !Number.isNaN(b))
        throw fault(rt, 'ValueError', 'math domain error')
      return a % b
    },
  ],
  [
    'remainder',
    'x y',
    (rt, [x, y]) => {
      const [a, b] = [real(rt, x!), real(rt, y!)]
      if (b === 0) throw fault(rt, 'ValueError', 'math domain error')
      return a - b * Number(rounded(rt, a / b))
    },
  ],
  [
    'copysign',
    'x y',
    (rt, [x, y]) => {
      const [a, b] = [Math.abs(real(rt, x!)), real(rt, y!)]
      return b < 0 || Object.is(b, -0) ? -a : a
    },
  ],
  ['hypot', '*coordinates', (rt, _, rest) => vectorLength(rest.map((value) => real(rt, value)))],
  [
    'dist',
    'p q',
    (rt, [p, q]) => {
      const [a, b] = [itemsOf(rt, p!), itemsOf(rt, q!)]
      if (a.length !== b.length) throw fault(rt, 'ValueError', 'both points must have the same number of dimensions')
      return vectorLength(a.map((value, i) => real(rt, value) - real(rt, b[i]!)))
    },
  ],
  [
    'modf',
    'x',
    (rt, [value]) => {
      const x = real(rt, value!)
      const part = Math.trunc(x)
      return new Tuple([Number.isFinite(x) ? x - part : x < 0 ? -0 : 0, part])
    },
  ],
  [
    'frexp',
    'x',
    (rt, [value]) => {
      const x = real(rt, value!)
      if (x === 0 || !Number.isFinite(x)) return new Tuple([x, 0n])
      let exponent = Math.floor(Math.log2(Math.abs(x))) + 1
      let mantissa = x / 2 ** exponent
      if (Math.abs(mantissa) >= 1) {
        mantissa /= 2
        exponent += 1
      } else if (Math.abs(mantissa) < 0.5) {
        mantissa *= 2
        exponent -= 1
      }
      return new Tuple([mantissa, BigInt(exponent)])
    },
  ],
  ['ldexp', 'x i', (rt, [value, power]) => real(rt, value!) * 2 ** Number(integer(rt, power!))],
  ['fsum', 'seq', (rt, [over]) => exactSum(rt, itemsOf(rt, over!))],
  [
    'prod',
    'iterable *, start?',
    (rt, [over, start = 1n]) => itemsOf(rt, over!).reduce((made, item) => binary(rt, '*', made, item), start),
  ],
  [
    'gcd',
    '*integers',
    (rt, _, rest) => rest.reduce<bigint>((made, value) => greatestDivisor(rt, made, integer(rt, value)), 0n),
  ],
  [
    'lcm',
    '*integers',
    (rt, _, rest) =>
      rest.reduce<bigint>((made, value) => {
        const number = integer(rt, value)
        if (number === 0n || made === 0n) return 0n
        const size = (made / greatestDivisor(rt, made, number)) * number
        rt.integer(size.toString(16).length * 4)
        return size < 0n ? -size : size
      }, 1n),
  ],
  ['factorial', 'x', (rt, [value]) => factorial(rt, value!)],
  ['comb', 'n k', (rt, [n, k]) => combinations(rt, integer(rt, n!), integer(rt, k!), false)],
  [
    'perm',
    'n k?',
    (rt, [n, k]) => combinations(rt, integer(rt, n!), integer(rt, k === undefined || k === null ? n! : k), true),
  ],
  ['isqrt', 'n', (rt, [n]) => squareRoot(rt, integer(rt, n!))],
  [
    'isclose',
    'a b *, rel_tol? abs_tol?',
    (rt, [a, b, relative = 1e-9, absolute = 0]) =>
      isClose(rt, real(rt, a!), real(rt, b!), real(rt, relative), real(rt, absolute)),
  ],
  ['isnan', 'x', (rt, [x]) => Number.isNaN(real(rt, x!))],
  ['isinf', 'x', (rt, [x]) => Math.abs(real(rt, x!)) === Infinity],
  ['isfinite', 'x', (rt, [x]) => Number.isFinite(real(rt, x!))],
  [
    'gamma',
    'x',
    (rt, [x]) => {
      const value = real(rt, x!)
      if (value <= 0 && Number.isInteger(value)) throw fault(rt, 'ValueError', 'math domain error')
      return gamma(value)
    },
  ],
  ['lgamma', 'x', (rt, [x]) => Math.log(Math.abs(gamma(real(rt, x!))))],
)

export const MATH = new Module(
  'math',
  new Map<string, Value>([
    ...FUNCTIONS,
    ['pi', Math.PI],
    ['tau', 2 * Math.PI],
    ['e', Math.E],
    ['inf', Infinity],
    ['nan', Number.NaN],
  ]),
)
