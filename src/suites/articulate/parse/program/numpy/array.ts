/** Arrays: a buffer, and how its numbers are laid out in it. A scalar of numpy is an array without axes. */
import {
  fault,
  indexOf,
  List,
  Method,
  numOf,
  PyObject,
  PyType,
  Range,
  type Runtime,
  Tuple,
  TYPES,
  typeOf,
  type Value,
} from '../values/index.ts'

export type DType = 'bool' | 'int32' | 'int64' | 'float32' | 'float64'

/** From the narrowest to the widest. */
export const DTYPES: readonly DType[] = ['bool', 'int32', 'int64', 'float32', 'float64']

export type Kind = 'bool' | 'int' | 'float'

export function kindOf(dtype: DType): Kind {
  return dtype === 'bool' ? 'bool' : dtype.startsWith('int') ? 'int' : 'float'
}

const KINDS: readonly Kind[] = ['bool', 'int', 'float']
export const WIDEST: Readonly<Record<Kind, DType>> = { bool: 'bool', int: 'int64', float: 'float64' }

export const NDARRAY = new PyType('numpy.ndarray', { bases: [TYPES.object], slots: {} })
/** `np.number` and its kin, for `isinstance`. */
export const GENERIC = new PyType('numpy.generic', { bases: [TYPES.object], slots: {} })
const NUMBER = new PyType('numpy.number', { bases: [GENERIC], slots: {} })
export const INTEGER = new PyType('numpy.integer', { bases: [NUMBER], slots: {} })
export const FLOATING = new PyType('numpy.floating', { bases: [NUMBER], slots: {} })
export const NUMBER_TYPES = { generic: GENERIC, number: NUMBER, integer: INTEGER, floating: FLOATING }

/** The types of numbers out of arrays; `np.float64` is a `float` as well. */
export const SCALARS: Readonly<Record<DType, PyType>> = {
  bool: new PyType('numpy.bool_', { bases: [GENERIC], slots: {} }),
  int32: new PyType('numpy.int32', { bases: [INTEGER], slots: {} }),
  int64: new PyType('numpy.int64', { bases: [INTEGER], slots: {} }),
  float32: new PyType('numpy.float32', { bases: [FLOATING], slots: {} }),
  float64: new PyType('numpy.float64', { bases: [FLOATING, TYPES.float], slots: {} }),
}

export class NdArray extends PyObject {
  readonly data: Float64Array
  readonly dtype: DType
  readonly shape: readonly number[]
  readonly strides: readonly number[]
  readonly offset: number
  /** A number that was taken out of an array, not an array without axes. */
  readonly isScalar: boolean

  constructor(
    data: Float64Array,
    dtype: DType,
    shape: readonly number[],
    {
      strides,
      offset = 0,
      isScalar = false,
    }: { strides?: readonly number[]; offset?: number; isScalar?: boolean } = {},
  ) {
    super()
    this.data = data
    this.dtype = dtype
    this.shape = shape
    this.strides = strides ?? stridesOf(shape)
    this.offset = offset
    this.isScalar = isScalar
  }

  get type(): PyType {
    return this.isScalar ? SCALARS[this.dtype] : NDARRAY
  }

  get size(): number {
    return sizeOf(this.shape)
  }

  /** Places in the buffer, in the order of the indices. */
  places(): Int32Array {
    const places = new Int32Array(this.size)
    const { shape, strides } = this
    const index = shape.map(() => 0)
    let place = this.offset
    for (let i = 0; i < places.length; i++) {
      places[i] = place
      for (let axis = shape.length - 1; axis >= 0; axis--) {
        index[axis]! += 1
        place += strides[axis]!
        if (index[axis]! < shape[axis]!) break
        place -= strides[axis]! * shape[axis]!
        index[axis] = 0
      }
    }
    return places
  }

  /** Its numbers one after the other: a copy, except where they lie so already. */
  flat(): Float64Array {
    const { data } = this
    if (this.offset === 0 && data.length === this.size && this.#isPlain()) return data
    return Float64Array.from(this.places(), (place) => data[place]!)
  }

  #isPlain(): boolean {
    const plain = stridesOf(this.shape)
    return this.shape.every((length, axis) => length === 1 || this.strides[axis] === plain[axis])
  }
}

export function stridesOf(shape: readonly number[]): number[] {
  const strides = shape.map(() => 1)
  for (let axis = shape.length - 2; axis >= 0; axis--) strides[axis] = strides[axis + 1]! * shape[axis + 1]!
  return strides
}

export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((size, length) => size * length, 1)
}

export function shapeText(shape: readonly number[]): string {
  return shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(',')})`
}

/** As `print(a.shape)` has it. */
export function shapeValue(shape: readonly number[]): Tuple {
  return new Tuple(shape.map(BigInt))
}

const MAX_AXES = 16
const LARGEST_INTEGER = Number.MAX_SAFE_INTEGER

/** Room for an array, asked of the meter before it is made. */
export function empty(rt: Runtime, shape: readonly number[]): Float64Array {
  if (shape.length > MAX_AXES)
    throw fault(rt, 'ValueError', `maximum supported dimension for an ndarray is ${MAX_AXES}`)
  if (shape.some((length) => length < 0)) throw fault(rt, 'ValueError', 'negative dimensions are not allowed')
  const size = sizeOf(shape)
  rt.make(size)
  rt.work(1 + size / 8)
  return new Float64Array(size)
}

/** A number as it is kept in arrays of a type. */
export function stored(rt: Runtime, value: number, dtype: DType): number {
  switch (dtype) {
    case 'bool':
      return value === 0 ? 0 : 1
    case 'int32':
      return Math.trunc(value) | 0
    case 'int64': {
      const whole = Number.isNaN(value) ? -(2 ** 63) : Math.trunc(value)
      if (Math.abs(whole) > LARGEST_INTEGER && Number.isFinite(value))
        throw fault(rt, 'OverflowError', 'integers beyond 2**53 are not supported in arrays')
      return whole + 0
    }
    case 'float32':
      return Math.fround(value)
    case 'float64':
      return value
  }
}

/** An array of numbers that are already of its type. */
export function arrayOf(
  rt: Runtime,
  data: ArrayLike<number>,
  dtype: DType,
  shape: readonly number[] = [data.length],
): NdArray {
  const room = empty(rt, shape)
  for (let i = 0; i < room.length; i++) room[i] = stored(rt, data[i]!, dtype)
  return new NdArray(room, dtype, shape)
}

export function scalar(rt: Runtime, value: number, dtype: DType): NdArray {
  rt.work()
  return new NdArray(Float64Array.of(stored(rt, value, dtype)), dtype, [], { isScalar: true })
}

/** What has no axes is handed out as a number. */
export function reduced(array: NdArray): NdArray {
  return array.shape.length > 0 || array.isScalar
    ? array
    : new NdArray(Float64Array.of(array.data[array.offset]!), array.dtype, [], { isScalar: true })
}

/** A number of an array as Python's own. */
export function pythonValue(value: number, dtype: DType): Value {
  switch (kindOf(dtype)) {
    case 'bool':
      return value !== 0
    case 'int':
      return BigInt(value)
    case 'float':
      return value
  }
}

/** The type of a plain number. */
export function dtypeOf(value: Value): DType | null {
  if (value instanceof NdArray) return value.dtype
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'bigint') return 'int64'
  return typeof value === 'number' ? 'float64' : null
}

/** The type that holds numbers of both. */
export function promoted(a: DType, b: DType): DType {
  if (a === b) return a
  const [narrow, wide] = DTYPES.indexOf(a) < DTYPES.indexOf(b) ? [a, b] : [b, a]
  if (wide === 'float32' && (narrow === 'int32' || narrow === 'int64')) return 'float64'
  return wide
}

/** The type of a result: what has no axes counts by its kind alone beside what has some. */
export function commonType(a: NdArray, b: NdArray): DType {
  const [weakA, weakB] = [a.shape.length === 0, b.shape.length === 0]
  if (weakA === weakB) return promoted(a.dtype, b.dtype)
  const [weak, strong] = weakA ? [a, b] : [b, a]
  const [weakKind, strongKind] = [kindOf(weak.dtype), kindOf(strong.dtype)]
  return KINDS.indexOf(weakKind) > KINDS.indexOf(strongKind) ? WIDEST[weakKind] : strong.dtype
}

/** Any value as an array: numbers, sequences of numbers, sequences of sequences. */
export function asArray(rt: Runtime, value: Value, dtype?: DType): NdArray {
  if (value instanceof NdArray) return dtype === undefined || value.dtype === dtype ? value : cast(rt, value, dtype)
  const numbers: number[] = []
  const shape: number[] = []
  let widest: DType = 'bool'
  let isEmpty = true
  const visit = (item: Value, depth: number): void => {
    rt.work()
    if (
      item instanceof List ||
      item instanceof Tuple ||
      item instanceof Range ||
      (item instanceof NdArray && item.shape.length > 0)
    ) {
      const parts = partsOf(rt, item)
      if (depth > MAX_AXES) throw fault(rt, 'ValueError', 'the list is nested too deep for an array')
      if (shape[depth] === undefined && isEmpty) shape[depth] = parts.length
      else if (shape[depth] !== parts.length) throw ragged(rt, shape, depth)
      for (const part of parts) visit(part, depth + 1)
      return
    }
    if (depth !== shape.length) throw ragged(rt, shape, depth)
    const own = dtypeOf(item)
    if (own === null) throw notNumeric(rt, item)
    widest = isEmpty ? own : promoted(widest, own)
    isEmpty = false
    numbers.push(item instanceof NdArray ? item.data[item.offset]! : Number(numOf(item)))
    rt.make(numbers.length, 1)
  }
  visit(value, 0)
  return arrayOf(rt, numbers, dtype ?? (isEmpty ? 'float64' : widest), shape)
}

function partsOf(rt: Runtime, value: List | Tuple | Range | NdArray): readonly Value[] {
  if (value instanceof NdArray) return rows(rt, value)
  if (!(value instanceof Range)) return value.items
  const { start, step, length } = value
  rt.make(Number(length))
  return Array.from({ length: Number(length) }, (_, i) => start + BigInt(i) * step)
}

function ragged(rt: Runtime, shape: readonly number[], depth: number): Error {
  return fault(
    rt,
    'ValueError',
    `setting an array element with a sequence. The requested array has an inhomogeneous shape after ${depth} dimensions. The detected shape was ${shapeText(shape.slice(0, depth))} + inhomogeneous part.`,
  )
}

function notNumeric(rt: Runtime, value: Value): Error {
  const what = value instanceof Method ? 'a method' : typeOf(value).name
  return fault(rt, 'TypeError', `arrays hold numbers and truth values; ${what} is not supported`)
}

export function cast(rt: Runtime, array: NdArray, dtype: DType): NdArray {
  const made = arrayOf(rt, array.flat(), dtype, array.shape)
  return array.isScalar ? reduced(made) : made
}

/** The first axis, one by one: numbers, or arrays with an axis less that share the buffer. */
export function row(array: NdArray, at: number): NdArray {
  const { data, dtype, shape, strides, offset } = array
  const place = offset + at * strides[0]!
  if (shape.length > 1) return new NdArray(data, dtype, shape.slice(1), { strides: strides.slice(1), offset: place })
  return new NdArray(Float64Array.of(data[place]!), dtype, [], { isScalar: true })
}

export function rows(rt: Runtime, array: NdArray): NdArray[] {
  const [length] = array.shape
  if (length === undefined) throw fault(rt, 'TypeError', 'iteration over a 0-d array')
  rt.make(length)
  return Array.from({ length }, (_, i) => row(array, i))
}

/** Nested lists of Python's own numbers. */
export function listed(rt: Runtime, array: NdArray): Value {
  rt.work()
  if (array.shape.length === 0) return pythonValue(array.data[array.offset]!, array.dtype)
  return new List(rows(rt, array).map((part) => listed(rt, part)))
}

/** An axis counted from the front; raises for one that is not there. */
export function axisOf(rt: Runtime, value: Value, axes: number): number {
  const whole = indexOf(rt, value)
  if (whole === null) throw fault(rt, 'TypeError', `'${typeOf(value).name}' object cannot be interpreted as an integer`)
  const axis = Number(whole)
  if (axis < -axes || axis >= axes)
    throw fault(rt, 'AxisError', `axis ${axis} is out of bounds for array of dimension ${axes}`)
  return axis < 0 ? axis + axes : axis
}

/** A shape as it is given: a number or several. */
export function givenShape(rt: Runtime, value: Value): number[] {
  const one = indexOf(rt, value)
  if (one !== null) return [Number(one)]
  const items =
    value instanceof List || value instanceof Tuple ? value.items : value instanceof NdArray ? rows(rt, value) : null
  if (!items)
    throw fault(rt, 'TypeError', `expected a sequence of integers or a single integer, got '${typeOf(value).name}'`)
  return items.map((item) => {
    const length = indexOf(rt, item)
    if (length === null)
      throw fault(rt, 'TypeError', `'${typeOf(item).name}' object cannot be interpreted as an integer`)
    return Number(length)
  })
}
