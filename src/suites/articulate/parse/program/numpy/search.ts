/** Sorting, searching, and what does not fit elsewhere. */
import {
  call,
  count,
  fault,
  isCallable,
  List,
  native,
  real,
  type Runtime,
  truth,
  Tuple,
  type Value,
} from '../values/index.ts'
import { arrayOf, asArray, commonType, type DType, kindOf, NdArray, reduced, scalar, sizeOf } from './array.ts'
import { broadcast, broadcastShape, mapWith, zipWith } from './elementwise.ts'
import { along, percentile, reduce, sumOf } from './reduce.ts'
import { trueAt } from './select.ts'
import { clip, type Entry, roundTo, toFloat } from './elementary.ts'

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
  const places = new Map(kept.map((value, i) => [value, i]))
  const inverse = numbers.map((value) => places.get(value)!)
  if (wants.index) {
    const firsts = kept.map(() => -1)
    inverse.forEach((place, i) => {
      if (firsts[place]! < 0) firsts[place] = i
    })
    extra.push(arrayOf(rt, firsts, 'int64'))
  }
  if (wants.inverse) extra.push(arrayOf(rt, inverse, 'int64'))
  if (wants.counts) {
    const counts = kept.map(() => 0)
    for (const place of inverse) counts[place]! += 1
    extra.push(arrayOf(rt, counts, 'int64'))
  }
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

/** How many of sorted numbers come before one, by halving. */
function placeIn(order: Float64Array, value: number, isAfterEqual: boolean): number {
  let [low, high] = [0, order.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isAfterEqual ? order[middle]! <= value : order[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

export const SEARCHING: readonly Entry[] = [
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
      return mapWith(rt, asArray(rt, v!), 'int64', (x) => placeIn(order, x, side !== 'left'))
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
        const i = placeIn(at, value, true) - 1
        return values[i]! + ((values[i + 1]! - values[i]!) / (at[i + 1]! - at[i]!)) * (value - at[i]!)
      })
    },
  ],
]

export const REST: readonly Entry[] = [
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
