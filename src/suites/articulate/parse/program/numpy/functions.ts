/** The functions of numpy that make arrays or go through them number by number. */
import {
  type Body,
  call,
  count,
  fault,
  isCallable,
  List,
  native,
  natives,
  real,
  type Runtime,
  truth,
  Tuple,
  type Value,
} from '../values/index.ts'
import {
  arrayOf,
  asArray,
  commonType,
  type DType,
  dtypeOf,
  empty,
  givenShape,
  kindOf,
  NdArray,
  promoted,
  reduced,
  scalar,
  sizeOf,
} from './array.ts'
import { givenType } from './dtypes.ts'
import { arithmetic, broadcast, broadcastShape, comparison, mapWith, unaryOperation, zipWith } from './elementwise.ts'
import { along, percentile, reduce, sumOf } from './reduce.ts'
import { trueAt } from './select.ts'

const toFloat = (dtype: DType): DType => (dtype === 'float32' ? 'float32' : 'float64')

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
const nanFirst =
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

type Entry = readonly [string, string, Body]

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

const ELEMENTWISE: readonly Entry[] = [
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

// arrays from nothing

function filled(rt: Runtime, shape: readonly number[], value: number, dtype: DType): NdArray {
  const room = empty(rt, shape)
  return arrayOf(rt, room.fill(value), dtype, shape)
}

function arange(rt: Runtime, args: readonly Value[], dtype: DType | undefined): NdArray {
  const arrays = args.map((value) => asArray(rt, value))
  const numbers = arrays.map((array) => array.flat()[0] ?? 0)
  const [start, stop, step] =
    numbers.length === 1 ? [0, numbers[0]!, 1] : [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 1]
  if (step === 0) throw fault(rt, 'ZeroDivisionError', 'division by zero')
  const size = Math.max(0, Math.ceil((stop - start) / step))
  rt.make(size)
  const natural = arrays.map((array) => array.dtype).reduce<DType>(promoted, 'int64')
  // As numpy has it: the step is the difference of the first two.
  const delta = start + step - start
  return arrayOf(
    rt,
    Array.from({ length: size }, (_, i) => start + i * delta),
    dtype ?? natural,
  )
}

function linspace(rt: Runtime, from: number, to: number, amount: number, isClosed: boolean, dtype: DType): NdArray {
  if (amount < 0) throw fault(rt, 'ValueError', `Number of samples, ${amount}, must be non-negative.`)
  rt.make(amount)
  const gaps = isClosed ? amount - 1 : amount
  const step = (to - from) / gaps
  const made = Array.from({ length: amount }, (_, i) => (gaps === 0 ? from : i * step + from))
  if (isClosed && amount > 1) made[amount - 1] = to
  return arrayOf(rt, made, dtype)
}

function diagonal(rt: Runtime, n: number, m: number, k: number, dtype: DType): NdArray {
  const made = empty(rt, [n, m])
  for (let i = 0; i < n; i++) if (i + k >= 0 && i + k < m) made[i * m + i + k] = 1
  return arrayOf(rt, made, dtype, [n, m])
}

const like =
  (value: number): Body =>
  (rt, [a, dtype]) => {
    const array = asArray(rt, a!)
    return filled(rt, array.shape, value, givenType(rt, dtype) ?? array.dtype)
  }

const CREATING: readonly Entry[] = [
  [
    'array',
    'object dtype? *, copy? ndmin?',
    (rt, [value, dtype]) => {
      const array = asArray(rt, toSequence(rt, value!), givenType(rt, dtype))
      // A copy: changing it must not change what it was made from.
      return array === value || array.isScalar ? arrayOf(rt, array.flat(), array.dtype, array.shape) : array
    },
  ],
  [
    'asarray',
    'a dtype?',
    (rt, [value, dtype]) => {
      const array = asArray(rt, toSequence(rt, value!), givenType(rt, dtype))
      return array.isScalar ? arrayOf(rt, array.flat(), array.dtype, array.shape) : array
    },
  ],
  [
    'zeros',
    'shape dtype?',
    (rt, [shape, dtype]) => filled(rt, givenShape(rt, shape!), 0, givenType(rt, dtype) ?? 'float64'),
  ],
  [
    'empty',
    'shape dtype?',
    (rt, [shape, dtype]) => filled(rt, givenShape(rt, shape!), 0, givenType(rt, dtype) ?? 'float64'),
  ],
  [
    'ones',
    'shape dtype?',
    (rt, [shape, dtype]) => filled(rt, givenShape(rt, shape!), 1, givenType(rt, dtype) ?? 'float64'),
  ],
  [
    'full',
    'shape fill_value dtype?',
    (rt, [shape, value, dtype]) => {
      const fill = asArray(rt, value!)
      const wanted = givenShape(rt, shape!)
      rt.make(sizeOf(wanted))
      broadcastShape(rt, fill.shape, wanted)
      return arrayOf(rt, broadcast(fill, wanted).flat(), givenType(rt, dtype) ?? fill.dtype, wanted)
    },
  ],
  ['zeros_like', 'a dtype?', like(0)],
  ['empty_like', 'a dtype?', like(0)],
  ['ones_like', 'a dtype?', like(1)],
  [
    'full_like',
    'a fill_value dtype?',
    (rt, [a, value, dtype]) => {
      const array = asArray(rt, a!)
      return filled(rt, array.shape, asArray(rt, value!).flat()[0]!, givenType(rt, dtype) ?? array.dtype)
    },
  ],
  [
    'eye',
    'N M? k? dtype?',
    (rt, [n, m, k = 0n, dtype]) =>
      diagonal(rt, count(rt, n!), count(rt, m ?? n!), count(rt, k), givenType(rt, dtype) ?? 'float64'),
  ],
  [
    'identity',
    'n dtype?',
    (rt, [n, dtype]) => diagonal(rt, count(rt, n!), count(rt, n!), 0, givenType(rt, dtype) ?? 'float64'),
  ],
  ['arange', '*bounds dtype?', (rt, [dtype], bounds) => arange(rt, bounds, givenType(rt, dtype))],
  [
    'linspace',
    'start stop num? endpoint? retstep? dtype?',
    (rt, [from, to, num = 50n, endpoint = true, , dtype]) =>
      linspace(
        rt,
        real(rt, from!),
        real(rt, to!),
        count(rt, num),
        truth(rt, endpoint),
        givenType(rt, dtype) ?? 'float64',
      ),
  ],
  [
    'diag',
    'v k?',
    (rt, [v, k = 0n]) => {
      const array = asArray(rt, v!)
      const shift = count(rt, k)
      const numbers = array.flat()
      if (array.shape.length === 1) {
        const n = numbers.length + Math.abs(shift)
        const made = empty(rt, [n, n])
        numbers.forEach((value, i) => (made[(i + Math.max(0, -shift)) * n + i + Math.max(0, shift)] = value))
        return arrayOf(rt, made, array.dtype, [n, n])
      }
      const [n = 0, m = 0] = array.shape
      const found: number[] = []
      for (let i = 0; i < n; i++) if (i + shift >= 0 && i + shift < m) found.push(numbers[i * m + i + shift]!)
      return arrayOf(rt, found, array.dtype)
    },
  ],
]

/** Iterators become lists before they become arrays. */
function toSequence(rt: Runtime, value: Value): Value {
  if (dtypeOf(value) !== null || value instanceof List || value instanceof Tuple) return value
  if (
    typeof value === 'object' &&
    value !== null &&
    ['set', 'frozenset', 'dict_values', 'dict_keys', 'generator', 'map'].includes(value.type.name)
  )
    throw fault(rt, 'TypeError', `arrays are made from lists and tuples; use list() around this ${value.type.name}`)
  return value
}

// searching and sorting

const byNumber = (a: number, b: number): number => (Number.isNaN(a) ? 1 : 0) - (Number.isNaN(b) ? 1 : 0) || a - b

export function sortAlong(rt: Runtime, array: NdArray, axis: Value): NdArray {
  rt.work(array.size * 4)
  return along(rt, array, axis, array.dtype, (values) => [...values].sort(byNumber))
}

export function sortPlaces(rt: Runtime, array: NdArray, axis: Value): NdArray {
  rt.work(array.size * 4)
  return along(rt, array, axis, 'int64', (values) =>
    values.map((_, i) => i).sort((i, j) => byNumber(values[i]!, values[j]!)),
  )
}

function unique(rt: Runtime, array: NdArray, wants: { index: boolean; inverse: boolean; counts: boolean }): Value {
  const numbers = Array.from(array.flat())
  rt.work(numbers.length * 4)
  const kept = [...new Set(numbers)].sort(byNumber)
  const made = arrayOf(rt, kept, array.dtype)
  const extra: Value[] = []
  if (wants.index)
    extra.push(
      arrayOf(
        rt,
        kept.map((value) => numbers.indexOf(value)),
        'int64',
      ),
    )
  if (wants.inverse)
    extra.push(
      arrayOf(
        rt,
        numbers.map((value) => kept.indexOf(value)),
        'int64',
      ),
    )
  if (wants.counts)
    extra.push(
      arrayOf(
        rt,
        kept.map((value) => numbers.filter((other) => other === value).length),
        'int64',
      ),
    )
  rt.work(numbers.length * extra.length * kept.length)
  return extra.length === 0 ? made : new Tuple([made, ...extra])
}

function where(rt: Runtime, condition: NdArray, yes: Value | undefined, no: Value | undefined): Value {
  if (yes === undefined || no === undefined)
    return new Tuple(trueAt(rt, condition).map((places) => arrayOf(rt, places, 'int64')))
  const [a, b] = [asArray(rt, yes), asArray(rt, no)]
  const shape = broadcastShape(rt, condition.shape, a.shape, b.shape)
  rt.make(sizeOf(shape))
  const [test, x, y] = [condition, a, b].map((array) => broadcast(array, shape).flat())
  return arrayOf(
    rt,
    test!.map((passes, i) => (passes === 0 ? y![i]! : x![i]!)),
    commonType(a, b),
    shape,
  )
}

function close(rt: Runtime, a: NdArray, b: NdArray, relative: Value, absolute: Value, nans: Value): NdArray {
  const [r, t, same] = [real(rt, relative), real(rt, absolute), truth(rt, nans)]
  return zipWith(rt, a, b, 'bool', (x, y) => {
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(same && Number.isNaN(x) && Number.isNaN(y))
    if (!Number.isFinite(x) || !Number.isFinite(y)) return Number(x === y)
    return Number(Math.abs(x - y) <= t + r * Math.abs(y))
  })
}

const ALL = {
  how: (values: readonly number[]): number => Number(values.every((value) => value !== 0)),
  dtype: (): DType => 'bool',
}

const SEARCHING: readonly Entry[] = [
  ['sort', 'a axis?', (rt, [a, axis = -1n]) => sortAlong(rt, asArray(rt, a!), axis)],
  ['argsort', 'a axis? kind?', (rt, [a, axis = -1n]) => sortPlaces(rt, asArray(rt, a!), axis)],
  [
    'unique',
    'ar return_index? return_inverse? return_counts?',
    (rt, [a, index = false, inverse = false, counts = false]) =>
      unique(rt, asArray(rt, a!), { index: truth(rt, index), inverse: truth(rt, inverse), counts: truth(rt, counts) }),
  ],
  ['where', 'condition x? y?', (rt, [condition, x, y]) => where(rt, asArray(rt, condition!), x, y)],
  ['nonzero', 'a', (rt, [a]) => where(rt, asArray(rt, a!), undefined, undefined)],
  [
    'argwhere',
    'a',
    (rt, [a]) => {
      const places = trueAt(rt, asArray(rt, a!))
      const amount = places[0]?.length ?? 0
      return arrayOf(rt, Array.from({ length: amount }, (_, i) => places.map((axis) => axis[i]!)).flat(), 'int64', [
        amount,
        places.length,
      ])
    },
  ],
  [
    'flatnonzero',
    'a',
    (rt, [a]) => {
      const found: number[] = []
      asArray(rt, a!)
        .flat()
        .forEach((value, i) => {
          if (value !== 0) found.push(i)
        })
      return arrayOf(rt, found, 'int64')
    },
  ],
  [
    'isclose',
    'a b rtol? atol? equal_nan?',
    (rt, [a, b, relative = 1e-5, absolute = 1e-8, nans = false]) =>
      close(rt, asArray(rt, a!), asArray(rt, b!), relative, absolute, nans),
  ],
  [
    'allclose',
    'a b rtol? atol? equal_nan?',
    (rt, [a, b, relative = 1e-5, absolute = 1e-8, nans = false]) =>
      reduce(rt, close(rt, asArray(rt, a!), asArray(rt, b!), relative, absolute, nans), ALL).data[0] !== 0,
  ],
  [
    'array_equal',
    'a1 a2',
    (rt, [a, b]) => {
      const [x, y] = [asArray(rt, a!), asArray(rt, b!)]
      if (x.shape.join() !== y.shape.join()) return false
      const [p, q] = [x.flat(), y.flat()]
      rt.work(p.length)
      return p.every((value, i) => value === q[i])
    },
  ],
  [
    'isin',
    'element test_elements',
    (rt, [a, b]) => {
      const known = new Set(asArray(rt, b!).flat())
      return mapWith(rt, asArray(rt, a!), 'bool', (x) => Number(known.has(x)))
    },
  ],
  [
    'searchsorted',
    'a v side?',
    (rt, [a, v, side = 'left']) => {
      const order = asArray(rt, a!).flat()
      rt.work(order.length)
      return mapWith(
        rt,
        asArray(rt, v!),
        'int64',
        (x) => order.filter((value) => (side === 'left' ? value < x : value <= x)).length,
      )
    },
  ],
  [
    'interp',
    'x xp fp',
    (rt, [x, xp, fp]) => {
      const [at, values] = [asArray(rt, xp!).flat(), asArray(rt, fp!).flat()]
      rt.work(at.length)
      return mapWith(rt, asArray(rt, x!), 'float64', (value) => {
        if (value <= at[0]!) return values[0]!
        if (value >= at.at(-1)!) return values.at(-1)!
        const i = at.findIndex((place) => place > value) - 1
        return values[i]! + ((values[i + 1]! - values[i]!) / (at[i + 1]! - at[i]!)) * (value - at[i]!)
      })
    },
  ],
]

const REST: readonly Entry[] = [
  ['round', 'a decimals?', (rt, [a, places = 0n]) => roundTo(rt, asArray(rt, a!), places)],
  ['around', 'a decimals?', (rt, [a, places = 0n]) => roundTo(rt, asArray(rt, a!), places)],
  ['clip', 'a a_min? a_max?', (rt, [a, low = null, high = null]) => clip(rt, asArray(rt, a!), low, high)],
  [
    'diff',
    'a n? axis?',
    (rt, [a, n = 1n, axis = -1n]) => {
      let made = asArray(rt, a!)
      for (let i = count(rt, n); i > 0; i--) {
        rt.work()
        made = along(rt, made, axis, made.dtype, (values) => values.slice(1).map((value, k) => value - values[k]!))
      }
      return made
    },
  ],
  [
    'average',
    'a axis? weights?',
    (rt, [a, axis = null, weights]) => {
      const array = asArray(rt, a!)
      if (weights === undefined || weights === null)
        return reduce(rt, array, { how: (values) => sumOf(values) / values.length, dtype: toFloat }, { axis })
      const given = Array.from(asArray(rt, weights).flat())
      const total = sumOf(given)
      if (total === 0) throw fault(rt, 'ZeroDivisionError', "Weights sum to zero, can't be normalized")
      return reduce(
        rt,
        array,
        { how: (values) => sumOf(values.map((value, i) => value * (given[i] ?? 0))) / total, dtype: () => 'float64' },
        { axis },
      )
    },
  ],
  ['percentile', 'a q axis?', (rt, [a, q, axis = null]) => quantiles(rt, asArray(rt, a!), asArray(rt, q!), axis, 100)],
  ['quantile', 'a q axis?', (rt, [a, q, axis = null]) => quantiles(rt, asArray(rt, a!), asArray(rt, q!), axis, 1)],
  [
    'nan_to_num',
    'x copy? nan?',
    (rt, [x, , nan = 0]) => {
      const array = asArray(rt, x!)
      return mapWith(rt, array, array.dtype, (value) =>
        Number.isNaN(value) ? real(rt, nan) : Number.isFinite(value) ? value : Math.sign(value) * Number.MAX_VALUE,
      )
    },
  ],
  [
    'trace',
    'a',
    (rt, [a]) => {
      const array = asArray(rt, a!)
      const [n = 0, m = 0] = array.shape
      const numbers = array.flat()
      let sum = 0
      for (let i = 0; i < Math.min(n, m); i++) sum += numbers[i * m + i]!
      return scalar(rt, sum, kindOf(array.dtype) === 'float' ? array.dtype : 'int64')
    },
  ],
  ['isscalar', 'element', (_, [value]) => (value instanceof NdArray ? value.isScalar : typeof value !== 'object')],
  ['ndim', 'a', (rt, [a]) => BigInt(asArray(rt, a!).shape.length)],
  ['shape', 'a', (rt, [a]) => new Tuple(asArray(rt, a!).shape.map(BigInt))],
  ['size', 'a', (rt, [a]) => BigInt(asArray(rt, a!).size)],
  [
    'copy',
    'a',
    (rt, [a]) => {
      const array = asArray(rt, a!)
      return arrayOf(rt, array.flat(), array.dtype, array.shape)
    },
  ],
  [
    'set_printoptions',
    '*args precision? suppress? threshold? linewidth? formatter? edgeitems?',
    (rt) => {
      throw fault(rt, 'NotImplementedError', 'set_printoptions() is not supported: nobody sees what is printed')
    },
  ],
  [
    'vectorize',
    'pyfunc',
    (rt, [callee]) => {
      if (!isCallable(callee!)) throw fault(rt, 'TypeError', 'vectorize() needs a function')
      return native('vectorized', 'x', (runtime, [x]) => {
        const array = asArray(runtime, x!)
        const made = Array.from(array.flat(), (value) => call(runtime, callee!, [scalar(runtime, value, array.dtype)]))
        return reduced(asArrayShaped(runtime, made, array.shape))
      })
    },
  ],
  [
    'union1d',
    'ar1 ar2',
    (rt, [a, b]) =>
      unique(
        rt,
        arrayOf(
          rt,
          [...asArray(rt, a!).flat(), ...asArray(rt, b!).flat()],
          commonType(asArray(rt, a!), asArray(rt, b!)),
        ),
        { index: false, inverse: false, counts: false },
      ),
  ],
]

function asArrayShaped(rt: Runtime, values: Value[], shape: readonly number[]): NdArray {
  const flat = asArray(rt, new List(values))
  return arrayOf(rt, flat.flat(), flat.dtype, shape)
}

function quantiles(rt: Runtime, array: NdArray, shares: NdArray, axis: Value, whole: number): Value {
  const one = (share: number): NdArray =>
    reduce(rt, array, { how: (values) => percentile(values, share / whole), dtype: () => 'float64' }, { axis })
  if (shares.shape.length === 0) return one(shares.data[shares.offset]!)
  const made = Array.from(shares.flat(), one)
  return arrayOf(
    rt,
    made.flatMap((part) => Array.from(part.flat())),
    'float64',
    [...shares.shape, ...(made[0]?.shape ?? [])],
  )
}

export const FUNCTION_NAMES: readonly [string, Value][] = natives(...ELEMENTWISE, ...CREATING, ...SEARCHING, ...REST)
