/** Arrays in other shapes, side by side, repeated. */
import { count, fault, indexOf, itemsOf, List, natives, type Runtime, Tuple, type Value } from '../values/index.ts'
import {
  arrayOf,
  asArray,
  axisOf,
  type DType,
  givenShape,
  NdArray,
  promoted,
  shapeText,
  sizeOf,
  stridesOf,
} from './array.ts'
import { broadcast, broadcastShape } from './elementwise.ts'

export function reshape(rt: Runtime, array: NdArray, wanted: readonly number[]): NdArray {
  const open = wanted.filter((length) => length < 0).length
  if (open > 1) throw fault(rt, 'ValueError', 'can only specify one unknown dimension')
  const known = sizeOf(wanted.filter((length) => length >= 0))
  const shape = wanted.map((length) => (length < 0 ? array.size / known : length))
  if (sizeOf(shape) !== array.size || shape.some((length) => !Number.isInteger(length)))
    throw fault(rt, 'ValueError', `cannot reshape array of size ${array.size} into shape ${shapeText(wanted)}`)
  const plain = stridesOf(array.shape)
  const isPlain = array.shape.every((length, axis) => length === 1 || array.strides[axis] === plain[axis])
  // What lies in order is only looked at in another way; the rest is copied.
  if (isPlain && !array.isScalar) return new NdArray(array.data, array.dtype, shape, { offset: array.offset })
  return arrayOf(rt, array.flat(), array.dtype, shape)
}

export function transpose(rt: Runtime, array: NdArray, given: Value = null): NdArray {
  const { data, dtype, shape, strides, offset } = array
  const order =
    given === null
      ? shape.map((_, i) => shape.length - 1 - i)
      : itemsOf(rt, given).map((axis) => axisOf(rt, axis, shape.length))
  if (new Set(order).size !== shape.length) throw fault(rt, 'ValueError', "axes don't match array")
  return new NdArray(
    data,
    dtype,
    order.map((axis) => shape[axis]!),
    { strides: order.map((axis) => strides[axis]!), offset },
  )
}

export function squeeze(rt: Runtime, array: NdArray, axis: Value = null): NdArray {
  const { data, dtype, shape, strides, offset } = array
  const at = axis === null ? null : axisOf(rt, axis, shape.length)
  if (at !== null && shape[at] !== 1)
    throw fault(rt, 'ValueError', 'cannot select an axis to squeeze out which has size not equal to one')
  const kept = shape.map((_, i) => i).filter((i) => (at === null ? shape[i] !== 1 : i !== at))
  return new NdArray(
    data,
    dtype,
    kept.map((i) => shape[i]!),
    { strides: kept.map((i) => strides[i]!), offset },
  )
}

function expand(rt: Runtime, array: NdArray, axis: Value): NdArray {
  const { data, dtype, shape, strides, offset } = array
  const at = axisOf(rt, axis, shape.length + 1)
  return new NdArray(data, dtype, shape.toSpliced(at, 0, 1), { strides: strides.toSpliced(at, 0, 0), offset })
}

export function concatenate(rt: Runtime, arrays: readonly NdArray[], axis: Value): NdArray {
  const [first] = arrays
  if (!first) throw fault(rt, 'ValueError', 'need at least one array to concatenate')
  if (axis === null)
    return concatenate(
      rt,
      arrays.map((array) => reshape(rt, array, [array.size])),
      0n,
    )
  if (first.shape.length === 0) throw fault(rt, 'ValueError', 'zero-dimensional arrays cannot be concatenated')
  const at = axisOf(rt, axis, first.shape.length)
  const dtype = arrays.map((array) => array.dtype).reduce<DType>(promoted, first.dtype)
  arrays.forEach(({ shape }, i) => {
    if (shape.length !== first.shape.length)
      throw fault(
        rt,
        'ValueError',
        `all the input arrays must have same number of dimensions, but the array at index 0 has ${first.shape.length} dimension(s) and the array at index ${i} has ${shape.length} dimension(s)`,
      )
    const other = shape.findIndex((length, k) => k !== at && length !== first.shape[k])
    if (other >= 0)
      throw fault(
        rt,
        'ValueError',
        `all the input array dimensions except for the concatenation axis must match exactly, but along dimension ${other}, the array at index 0 has size ${first.shape[other]} and the array at index ${i} has size ${shape[other]}`,
      )
  })
  const shape = first.shape.with(
    at,
    arrays.reduce((sum, array) => sum + array.shape[at]!, 0),
  )
  const before = sizeOf(first.shape.slice(0, at))
  const flats = arrays.map((array) => ({ numbers: array.flat(), width: array.size / before }))
  rt.make(sizeOf(shape))
  const made: number[] = []
  for (let i = 0; i < before; i++)
    for (const { numbers, width } of flats) for (let k = 0; k < width; k++) made.push(numbers[i * width + k]!)
  return arrayOf(rt, made, dtype, shape)
}

const arraysIn = (rt: Runtime, value: Value): NdArray[] => itemsOf(rt, value).map((item) => asArray(rt, item))

function stack(rt: Runtime, arrays: readonly NdArray[], axis: Value): NdArray {
  const [first] = arrays
  if (!first) throw fault(rt, 'ValueError', 'need at least one array to stack')
  if (arrays.some(({ shape }) => shape.join() !== first.shape.join()))
    throw fault(rt, 'ValueError', 'all input arrays must have the same shape')
  return concatenate(
    rt,
    arrays.map((array) => expand(rt, array, axis)),
    axis,
  )
}

/** At least so many axes, new ones in front. */
function atLeast(rt: Runtime, array: NdArray, axes: number): NdArray {
  return array.shape.length >= axes
    ? array
    : reshape(rt, array, [...Array.from({ length: axes - array.shape.length }, () => 1), ...array.shape])
}

function repeat(rt: Runtime, array: NdArray, times: Value, axis: Value): NdArray {
  const counts = asArray(rt, times).flat()
  const flat = axis === null ? reshape(rt, array, [array.size]) : array
  const at = axis === null ? 0 : axisOf(rt, axis, array.shape.length)
  const length = flat.shape[at]!
  if (counts.length !== 1 && counts.length !== length)
    throw fault(
      rt,
      'ValueError',
      `operands could not be broadcast together with shape (${length},) (${counts.length},)`,
    )
  const order = Array.from({ length }, (_, i) => i).flatMap((i) => {
    const amount = counts[counts.length === 1 ? 0 : i]!
    rt.make(Math.max(0, amount))
    return Array.from({ length: Math.max(0, amount) }, () => i)
  })
  return taken(rt, flat, order, at)
}

/** Places along an axis, in any order. */
export function taken(rt: Runtime, array: NdArray, order: readonly number[], axis: number): NdArray {
  const shape = array.shape.with(axis, order.length)
  const [before, after] = [sizeOf(shape.slice(0, axis)), sizeOf(shape.slice(axis + 1))]
  const numbers = array.flat()
  rt.make(sizeOf(shape))
  const made: number[] = []
  for (let i = 0; i < before; i++)
    for (const at of order)
      for (let k = 0; k < after; k++) made.push(numbers[(i * array.shape[axis]! + at) * after + k]!)
  return arrayOf(rt, made, array.dtype, shape)
}

function flip(rt: Runtime, array: NdArray, axis: Value): NdArray {
  const axes = axis === null ? array.shape.map((_, i) => i) : [axisOf(rt, axis, array.shape.length)]
  let { offset } = array
  const strides = array.strides.map((stride, i) => {
    if (!axes.includes(i)) return stride
    offset += stride * Math.max(0, array.shape[i]! - 1)
    return -stride
  })
  return new NdArray(array.data, array.dtype, array.shape, { strides, offset })
}

function roll(rt: Runtime, array: NdArray, shift: Value, axis: Value): NdArray {
  const by = count(rt, shift)
  const flat = axis === null ? reshape(rt, array, [array.size]) : array
  const at = axis === null ? 0 : axisOf(rt, axis, array.shape.length)
  const length = flat.shape[at]!
  const order = Array.from({ length }, (_, i) => (((i - by) % length) + length) % length)
  const made = taken(rt, flat, order, at)
  return axis === null ? reshape(rt, made, array.shape) : made
}

function tile(rt: Runtime, array: NdArray, given: Value): NdArray {
  const times = givenShape(rt, given)
  const axes = Math.max(times.length, array.shape.length)
  let made = atLeast(rt, array, axes)
  const counts = [...Array.from({ length: axes - times.length }, () => 1), ...times]
  counts.forEach((amount, axis) => {
    if (amount === 1) return
    rt.make(made.size * Math.max(0, amount))
    made =
      amount === 0
        ? taken(rt, made, [], axis)
        : concatenate(
            rt,
            Array.from({ length: amount }, () => made),
            BigInt(axis),
          )
  })
  return made
}

function grid(rt: Runtime, arrays: readonly NdArray[], isMatrix: boolean): Value {
  const lengths = arrays.map(({ size }) => size)
  const order = lengths.map((_, i) => (!isMatrix && i < 2 && lengths.length > 1 ? 1 - i : i))
  const shape = order.map((i) => lengths[i]!)
  return new Tuple(
    arrays.map((array, i) => {
      const axis = order.indexOf(i)
      const wide = reshape(
        rt,
        array,
        shape.map((_, k) => (k === axis ? array.size : 1)),
      )
      rt.make(sizeOf(shape))
      return arrayOf(rt, broadcast(wide, shape).flat(), array.dtype, shape)
    }),
  )
}

function split(rt: Runtime, array: NdArray, parts: Value, axis: Value): Value[] {
  const at = axisOf(rt, axis, array.shape.length)
  const length = array.shape[at]!
  const amount = indexOf(rt, parts)
  const cuts =
    amount === null
      ? itemsOf(rt, parts).map((cut) => count(rt, cut))
      : Array.from({ length: Math.max(0, Number(amount) - 1) }, (_, i) => ((i + 1) * length) / Number(amount))
  if (cuts.some((cut) => !Number.isInteger(cut)))
    throw fault(rt, 'ValueError', 'array split does not result in an equal division')
  return [...cuts, length].map((end, i) => {
    const start = i === 0 ? 0 : cuts[i - 1]!
    return taken(
      rt,
      array,
      Array.from({ length: Math.max(0, end - start) }, (_, k) => start + k),
      at,
    )
  })
}

export const SHAPE_NAMES: readonly [string, Value][] = natives(
  ['reshape', 'a newshape', (rt, [a, shape]) => reshape(rt, asArray(rt, a!), givenShape(rt, shape!))],
  ['ravel', 'a', (rt, [a]) => reshape(rt, asArray(rt, a!), [-1])],
  ['transpose', 'a axes?', (rt, [a, axes]) => transpose(rt, asArray(rt, a!), axes)],
  ['squeeze', 'a axis?', (rt, [a, axis]) => squeeze(rt, asArray(rt, a!), axis)],
  ['expand_dims', 'a axis', (rt, [a, axis]) => expand(rt, asArray(rt, a!), axis!)],
  ['concatenate', 'arrays axis?', (rt, [arrays, axis = 0n]) => concatenate(rt, arraysIn(rt, arrays!), axis)],
  ['stack', 'arrays axis?', (rt, [arrays, axis = 0n]) => stack(rt, arraysIn(rt, arrays!), axis)],
  [
    'vstack',
    'tup',
    (rt, [arrays]) =>
      concatenate(
        rt,
        arraysIn(rt, arrays!).map((array) => atLeast(rt, array, 2)),
        0n,
      ),
  ],
  [
    'hstack',
    'tup',
    (rt, [given]) => {
      const arrays = arraysIn(rt, given!).map((array) => atLeast(rt, array, 1))
      return concatenate(rt, arrays, arrays[0]?.shape.length === 1 ? 0n : 1n)
    },
  ],
  [
    'column_stack',
    'tup',
    (rt, [arrays]) =>
      concatenate(
        rt,
        arraysIn(rt, arrays!).map((array) => (array.shape.length < 2 ? reshape(rt, array, [-1, 1]) : array)),
        1n,
      ),
  ],
  [
    'append',
    'arr values axis?',
    (rt, [a, more, axis = null]) => concatenate(rt, [asArray(rt, a!), asArray(rt, more!)], axis),
  ],
  [
    'delete',
    'arr obj axis?',
    (rt, [a, which, axis = null]) => {
      const array = axis === null ? reshape(rt, asArray(rt, a!), [-1]) : asArray(rt, a!)
      const at = axis === null ? 0 : axisOf(rt, axis, array.shape.length)
      const length = array.shape[at]!
      const dropped = new Set(Array.from(asArray(rt, which!).flat(), (i) => (i < 0 ? i + length : i)))
      return taken(
        rt,
        array,
        Array.from({ length }, (_, i) => i).filter((i) => !dropped.has(i)),
        at,
      )
    },
  ],
  [
    'insert',
    'arr obj values',
    (rt, [a, at, values]) => {
      const array = reshape(rt, asArray(rt, a!), [-1])
      const place = count(rt, at!)
      const cut = place < 0 ? place + array.size : place
      const added = reshape(rt, asArray(rt, values!), [-1])
      const part = (from: number, to: number): NdArray =>
        taken(
          rt,
          array,
          Array.from({ length: to - from }, (_, i) => from + i),
          0,
        )
      return concatenate(rt, [part(0, cut), arrayOf(rt, added.flat(), array.dtype), part(cut, array.size)], 0n)
    },
  ],
  ['repeat', 'a repeats axis?', (rt, [a, times, axis = null]) => repeat(rt, asArray(rt, a!), times!, axis)],
  ['tile', 'A reps', (rt, [a, times]) => tile(rt, asArray(rt, a!), times!)],
  ['flip', 'm axis?', (rt, [a, axis = null]) => flip(rt, asArray(rt, a!), axis)],
  ['flipud', 'm', (rt, [a]) => flip(rt, asArray(rt, a!), 0n)],
  ['fliplr', 'm', (rt, [a]) => flip(rt, asArray(rt, a!), 1n)],
  ['roll', 'a shift axis?', (rt, [a, shift, axis = null]) => roll(rt, asArray(rt, a!), shift!, axis)],
  [
    'take',
    'a indices axis?',
    (rt, [a, order, axis = null]) => {
      const array = axis === null ? reshape(rt, asArray(rt, a!), [-1]) : asArray(rt, a!)
      const at = axis === null ? 0 : axisOf(rt, axis, array.shape.length)
      const places = asArray(rt, order!)
      const made = taken(
        rt,
        array,
        Array.from(places.flat(), (i) => (i < 0 ? i + array.shape[at]! : i)),
        at,
      )
      return places.shape.length === 0 ? squeeze(rt, made, BigInt(at)) : made
    },
  ],
  [
    'broadcast_to',
    'array shape',
    (rt, [a, shape]) => {
      const [array, wanted] = [asArray(rt, a!), givenShape(rt, shape!)]
      broadcastShape(rt, array.shape, wanted)
      rt.make(sizeOf(wanted))
      return arrayOf(rt, broadcast(array, wanted).flat(), array.dtype, wanted)
    },
  ],
  ['atleast_1d', 'a', (rt, [a]) => atLeast(rt, asArray(rt, a!), 1)],
  ['atleast_2d', 'a', (rt, [a]) => atLeast(rt, asArray(rt, a!), 2)],
  [
    'meshgrid',
    '*xi indexing?',
    (rt, [indexing], arrays) =>
      grid(
        rt,
        arrays.map((array) => asArray(rt, array)),
        indexing === 'ij',
      ),
  ],
  [
    'split',
    'ary indices_or_sections axis?',
    (rt, [a, parts, axis = 0n]) => {
      rt.make(1)
      return new List(split(rt, asArray(rt, a!), parts!, axis))
    },
  ],
  [
    'swapaxes',
    'a axis1 axis2',
    (rt, [a, first, second]) => {
      const array = asArray(rt, a!)
      const [i, j] = [axisOf(rt, first!, array.shape.length), axisOf(rt, second!, array.shape.length)]
      const order = array.shape.map((_, k) => BigInt(k === i ? j : k === j ? i : k))
      return transpose(rt, array, new Tuple(order))
    },
  ],
)
