/** Arrays from nothing, and from lists. */
import { type Body, count, fault, List, real, type Runtime, truth, Tuple, type Value } from '../values/index.ts'
import { arrayOf, asArray, type DType, dtypeOf, empty, givenShape, NdArray, promoted, sizeOf } from './array.ts'
import { givenType } from './dtypes.ts'
import { broadcast, broadcastShape } from './elementwise.ts'
import type { Entry } from './elementary.ts'

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

export const CREATING: readonly Entry[] = [
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
