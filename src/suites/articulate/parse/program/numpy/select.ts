/** `a[1:, 0]`, `a[mask]`, `a[[0, 2]]`: which numbers of an array an index means. */
import {
  ELLIPSIS,
  fault,
  indexOf,
  List,
  type Runtime,
  Slice,
  spanOf,
  Tuple,
  typeOf,
  type Value,
} from '../values/index.ts'
import { arrayOf, asArray, kindOf, NdArray, reduced } from './array.ts'
import { broadcast, broadcastShape } from './elementwise.ts'

type Part =
  | { kind: 'one'; axis: number; at: number }
  | { kind: 'span'; axis: number; start: number; step: number; count: number }
  | { kind: 'new' }
  | { kind: 'many'; axis: number; places: NdArray }

/** The parts of an index, axis by axis, with what was left out filled in. */
function partsOf(rt: Runtime, array: NdArray, index: Value): Part[] {
  const given = index instanceof Tuple ? index.items : [index]
  const items = given.map((item): Value => {
    const mask = item instanceof List || item instanceof NdArray ? asArray(rt, item) : null
    return mask?.dtype === 'bool' ? mask : item
  })
  const axesOf = (item: Value): number =>
    item === null || item === ELLIPSIS ? 0 : item instanceof NdArray && item.dtype === 'bool' ? item.shape.length : 1
  const used = items.reduce<number>((sum, item) => sum + axesOf(item), 0)
  const axes = array.shape.length
  if (used > axes)
    throw fault(rt, 'IndexError', `too many indices for array: array is ${axes}-dimensional, but ${used} were indexed`)
  const parts: Part[] = []
  let axis = 0
  const whole = (): void => {
    parts.push({ kind: 'span', axis, start: 0, step: 1, count: array.shape[axis]! })
    axis += 1
  }
  for (const item of items) {
    rt.work()
    if (item === null) parts.push({ kind: 'new' })
    else if (item === ELLIPSIS) for (let left = axes - used; left > 0; left--) whole()
    else {
      parts.push(...partOf(rt, array, item, axis))
      axis += axesOf(item)
    }
  }
  for (let left = axes - axis; left > 0; left--) whole()
  return parts
}

function partOf(rt: Runtime, array: NdArray, item: Value, axis: number): Part[] {
  const length = array.shape[axis]!
  if (item instanceof Slice) {
    const { start, step, count } = spanOf(rt, item, length)
    return [{ kind: 'span', axis, start, step, count }]
  }
  const one = indexOf(rt, item)
  if (one !== null && typeof item !== 'boolean')
    return [{ kind: 'one', axis, at: inside(rt, Number(one), length, axis) }]
  if (typeof item === 'boolean' || typeof item === 'number' || typeof item === 'string')
    throw fault(
      rt,
      'IndexError',
      'only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices',
    )
  if (!(item instanceof List || item instanceof Tuple || item instanceof NdArray || typeOf(item).name === 'range'))
    throw fault(
      rt,
      'IndexError',
      'only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices',
    )
  const chosen = asArray(rt, item)
  if (chosen.dtype === 'bool') return masked(rt, array, chosen, axis)
  if (chosen.size > 0 && kindOf(chosen.dtype) !== 'int')
    throw fault(rt, 'IndexError', 'arrays used as indices must be of integer (or boolean) type')
  const places = arrayOf(
    rt,
    chosen.flat().map((at) => inside(rt, at, length, axis)),
    'int64',
    chosen.shape,
  )
  return [{ kind: 'many', axis, places }]
}

function inside(rt: Runtime, at: number, length: number, axis: number): number {
  if (at < -length || at >= length)
    throw fault(rt, 'IndexError', `index ${at} is out of bounds for axis ${axis} with size ${length}`)
  return at < 0 ? at + length : at
}

/** A mask is the places where it is true, one array of them for each of its axes. */
function masked(rt: Runtime, array: NdArray, mask: NdArray, axis: number): Part[] {
  mask.shape.forEach((length, i) => {
    if (length !== array.shape[axis + i])
      throw fault(
        rt,
        'IndexError',
        `boolean index did not match indexed array along dimension ${axis + i}; dimension is ${array.shape[axis + i]} but corresponding boolean dimension is ${length}`,
      )
  })
  return trueAt(rt, mask).map((places, i) => ({
    kind: 'many',
    axis: axis + i,
    places: arrayOf(rt, places, 'int64'),
  }))
}

/** The indices of what is not zero, axis by axis. */
export function trueAt(rt: Runtime, array: NdArray): number[][] {
  const found: number[][] = array.shape.map(() => [])
  const numbers = array.flat()
  rt.work(numbers.length)
  numbers.forEach((value, i) => {
    if (value === 0) return
    let rest = i
    for (let axis = array.shape.length - 1; axis >= 0; axis--) {
      const length = array.shape[axis]!
      found[axis]!.push(rest % length)
      rest = Math.floor(rest / length)
    }
  })
  return found
}

export interface Selection {
  shape: number[]
  /** Places in the buffer, one for each number of the shape. */
  places: Int32Array
  /** What shares the buffer, where the index is made of numbers and slices alone. */
  view: NdArray | null
}

export function select(rt: Runtime, array: NdArray, index: Value): Selection {
  const parts = partsOf(rt, array, index)
  const many = parts.filter((part) => part.kind === 'many')
  let { offset } = array
  for (const part of parts) {
    if (part.kind === 'one') offset += part.at * array.strides[part.axis]!
    if (part.kind === 'span') offset += part.start * array.strides[part.axis]!
  }
  const lengths: number[] = []
  const strides: number[] = []
  for (const part of parts) {
    if (part.kind === 'span') {
      lengths.push(part.count)
      strides.push(part.step * array.strides[part.axis]!)
    } else if (part.kind === 'new') {
      lengths.push(1)
      strides.push(0)
    }
  }
  const view = new NdArray(array.data, array.dtype, lengths, { strides, offset })
  rt.work(view.size / 8)
  if (many.length === 0) return { shape: lengths, places: view.places(), view }
  return gathered(rt, array, parts, view)
}

/** Several places at once: their own axes stand where the first of them stood, or in front if they are apart. */
function gathered(rt: Runtime, array: NdArray, parts: readonly Part[], view: NdArray): Selection {
  const many = parts.filter((part) => part.kind === 'many')
  const shape = broadcastShape(rt, ...many.map(({ places }) => places.shape))
  const stretched = many.map(({ places, axis }) => {
    const wide = broadcast(places, shape)
    return { numbers: Array.from(wide.places(), (place) => wide.data[place]!), stride: array.strides[axis]! }
  })
  const count = shape.reduce((size, length) => size * length, 1)
  const shifts = Array.from({ length: count }, (_, i) =>
    stretched.reduce((sum, { numbers, stride }) => sum + numbers[i]! * stride, 0),
  )
  const indexed = parts.map(({ kind }) => kind === 'many' || kind === 'one')
  const first = indexed.indexOf(true)
  const isTogether = indexed.lastIndexOf(true) - first + 1 === indexed.filter(Boolean).length
  const before = isTogether ? parts.slice(0, first).filter(({ kind }) => kind === 'span' || kind === 'new').length : 0
  const head = new NdArray(view.data, view.dtype, view.shape.slice(0, before), {
    strides: view.strides.slice(0, before),
    offset: view.offset,
  })
  const tail = new NdArray(view.data, view.dtype, view.shape.slice(before), {
    strides: view.strides.slice(before),
    offset: 0,
  })
  const size = head.size * count * tail.size
  rt.make(size)
  rt.work(size / 4)
  const places = new Int32Array(size)
  let at = 0
  for (const start of head.places())
    for (const shift of shifts)
      for (const end of tail.places()) {
        places[at] = start + shift + end
        at += 1
      }
  return { shape: [...head.shape, ...shape, ...tail.shape], places, view: null }
}

export function getItems(rt: Runtime, array: NdArray, index: Value): NdArray {
  const { shape, places, view } = select(rt, array, index)
  if (view) return index instanceof Tuple && index.items.includes(ELLIPSIS) ? view : reduced(view)
  return arrayOf(
    rt,
    Float64Array.from(places, (place) => array.data[place]!),
    array.dtype,
    shape,
  )
}
