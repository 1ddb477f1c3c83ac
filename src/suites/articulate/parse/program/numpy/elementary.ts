/** Functions that go through arrays number by number. */
import { type Body, count, type Runtime, type Value } from '../values/index.ts'
import { asArray, commonType, type DType, kindOf, NdArray } from './array.ts'
import { arithmetic, comparison, mapWith, unaryOperation, zipWith } from './elementwise.ts'

export type Entry = readonly [string, string, Body]

export const toFloat = (dtype: DType): DType => (dtype === 'float32' ? 'float32' : 'float64')

/** Half to even. */
export function rint(x: number): number {
  const low = Math.floor(x)
  const part = x - low
  const made = part < 0.5 ? low : part > 0.5 ? low + 1 : low % 2 === 0 ? low : low + 1
  return made === 0 && (x < 0 || Object.is(x, -0)) ? -0 : made
}

/** Functions of one number whose result is a float. */
const FLOAT_FUNCTIONS: Readonly<Record<string, (x: number) => number>> = {
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  arcsin: Math.asin,
  arccos: Math.acos,
  arctan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  arcsinh: Math.asinh,
  arccosh: Math.acosh,
  arctanh: Math.atanh,
  sqrt: Math.sqrt,
  cbrt: Math.cbrt,
  exp: Math.exp,
  exp2: (x) => 2 ** x,
  expm1: Math.expm1,
  log: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  log1p: Math.log1p,
  deg2rad: (x) => x * (Math.PI / 180),
  radians: (x) => x * (Math.PI / 180),
  rad2deg: (x) => x * (180 / Math.PI),
  degrees: (x) => x * (180 / Math.PI),
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  fix: Math.trunc,
  rint,
  fabs: Math.abs,
}
const SAME_FUNCTIONS: Readonly<Record<string, (x: number) => number>> = {
  abs: Math.abs,
  absolute: Math.abs,
  sign: Math.sign,
  square: (x) => x * x,
}
const TESTS: Readonly<Record<string, (x: number) => boolean>> = {
  isnan: Number.isNaN,
  isinf: (x) => Math.abs(x) === Infinity,
  isfinite: Number.isFinite,
  signbit: (x) => x < 0 || Object.is(x, -0),
  logical_not: (x) => x === 0,
}
const OPERATORS: Readonly<Record<string, string>> = {
  add: '+',
  subtract: '-',
  multiply: '*',
  divide: '/',
  true_divide: '/',
  floor_divide: '//',
  mod: '%',
  remainder: '%',
  power: '**',
  bitwise_and: '&',
  bitwise_or: '|',
  bitwise_xor: '^',
}
const COMPARISONS: Readonly<Record<string, string>> = {
  equal: '==',
  not_equal: '!=',
  less: '<',
  less_equal: '<=',
  greater: '>',
  greater_equal: '>=',
}
const LOGICAL: Readonly<Record<string, (x: boolean, y: boolean) => boolean>> = {
  logical_and: (x, y) => x && y,
  logical_or: (x, y) => x || y,
  logical_xor: (x, y) => x !== y,
}
export const nanFirst =
  (how: (x: number, y: number) => number) =>
  (x: number, y: number): number =>
    Number.isNaN(x) ? x : Number.isNaN(y) ? y : how(x, y)
const PAIRED: Readonly<Record<string, { how: (x: number, y: number) => number; isFloat: boolean }>> = {
  maximum: { how: nanFirst(Math.max), isFloat: false },
  minimum: { how: nanFirst(Math.min), isFloat: false },
  fmax: { how: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.max(x, y)), isFloat: false },
  fmin: { how: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.min(x, y)), isFloat: false },
  arctan2: { how: Math.atan2, isFloat: true },
  hypot: { how: Math.hypot, isFloat: true },
  fmod: { how: (x, y) => x % y, isFloat: false },
  copysign: { how: (x, y) => (y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x)), isFloat: true },
}

const ofOne = (name: string, body: (rt: Runtime, array: NdArray) => Value): Entry => [
  name,
  'x',
  (rt, [x]) => body(rt, asArray(rt, x!)),
]
const ofTwo = (name: string, body: (rt: Runtime, a: NdArray, b: NdArray) => Value): Entry => [
  name,
  'x1 x2',
  (rt, [a, b]) => body(rt, asArray(rt, a!), asArray(rt, b!)),
]

export const ELEMENTWISE: readonly Entry[] = [
  ...Object.entries(FLOAT_FUNCTIONS).map(([name, how]) =>
    ofOne(name, (rt, array) => mapWith(rt, array, toFloat(array.dtype), how)),
  ),
  ...Object.entries(SAME_FUNCTIONS).map(([name, how]) =>
    ofOne(name, (rt, array) => mapWith(rt, array, array.dtype, how)),
  ),
  ...Object.entries(TESTS).map(([name, test]) =>
    ofOne(name, (rt, array) => mapWith(rt, array, 'bool', (x) => Number(test(x)))),
  ),
  ...Object.entries(OPERATORS).map(([name, operator]) => ofTwo(name, (rt, a, b) => arithmetic(rt, operator, a, b)!)),
  ...Object.entries(COMPARISONS).map(([name, operator]) => ofTwo(name, (rt, a, b) => comparison(rt, operator, a, b)!)),
  ...Object.entries(LOGICAL).map(([name, how]) =>
    ofTwo(name, (rt, a, b) => zipWith(rt, a, b, 'bool', (x, y) => Number(how(x !== 0, y !== 0)))),
  ),
  ...Object.entries(PAIRED).map(([name, { how, isFloat }]) =>
    ofTwo(name, (rt, a, b) => {
      const dtype = commonType(a, b)
      return zipWith(rt, a, b, isFloat ? toFloat(dtype) : dtype, how)
    }),
  ),
  ofOne('negative', (rt, array) => unaryOperation(rt, '-', array)),
  ofOne('reciprocal', (rt, array) => mapWith(rt, array, array.dtype, (x) => 1 / x)),
  ofOne('invert', (rt, array) => unaryOperation(rt, '~', array)),
]

/** `np.round(a, decimals)`: scaled, rounded to even, scaled back. */
export function roundTo(rt: Runtime, array: NdArray, places: Value): NdArray {
  const digits = count(rt, places)
  if (kindOf(array.dtype) !== 'float' && digits >= 0)
    return mapWith(rt, array, array.dtype === 'bool' ? 'float64' : array.dtype, (x) => x)
  const scale = 10 ** Math.abs(digits)
  return mapWith(rt, array, array.dtype, (x) =>
    digits === 0 ? rint(x) : digits > 0 ? rint(x * scale) / scale : rint(x / scale) * scale,
  )
}

export function clip(rt: Runtime, array: NdArray, low: Value, high: Value): NdArray {
  let made = array
  for (const [bound, how] of [
    [low, Math.max],
    [high, Math.min],
  ] as const)
    if (bound !== null) {
      const limit = asArray(rt, bound)
      made = zipWith(rt, made, limit, commonType(made, limit), nanFirst(how))
    }
  return made
}
