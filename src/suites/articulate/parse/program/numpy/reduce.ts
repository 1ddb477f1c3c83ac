/** Sums, means, extremes: an axis, or all of them, made into one number. */
import { fault, type Native, native, type Runtime, truth, Tuple, type Value } from '../values/index.ts'
import { arrayOf, asArray, axisOf, type DType, kindOf, NdArray, reduced } from './array.ts'

type Many = readonly number[]

interface Reduction {
  /** The numbers along the axis, made into one. */
  how: (values: Many, rt: Runtime) => number
  dtype: (of: DType) => DType
  /** What it is called where nothing is left to choose from. */
  empty?: string
}

const toInteger = (dtype: DType): DType => (kindOf(dtype) === 'float' ? dtype : 'int64')
const toFloat = (dtype: DType): DType => (dtype === 'float32' ? 'float32' : 'float64')
const same = (dtype: DType): DType => dtype
const toBool = (): DType => 'bool'
const toIndex = (): DType => 'int64'

/** Eight sums side by side from eight numbers on, in pairs beyond 128: the same rounding as numpy's. */
export function sumOf(values: Many): number {
  const { length } = values
  if (length < 8) {
    let sum = 0
    for (const value of values) sum += value
    // Nothing added to −0 stays −0.
    return length > 0 && sum === 0 && values.every((value) => Object.is(value, -0)) ? -0 : sum
  }
  if (length > 128) {
    let half = Math.floor(length / 2)
    half -= half % 8
    return sumOf(values.slice(0, half)) + sumOf(values.slice(half))
  }
  const r = values.slice(0, 8)
  let i = 8
  for (; i < length - (length % 8); i += 8) for (let k = 0; k < 8; k++) r[k]! += values[i + k]!
  let sum = r[0]! + r[1]! + (r[2]! + r[3]!) + (r[4]! + r[5]! + (r[6]! + r[7]!))
  for (; i < length; i++) sum += values[i]!
  return sum
}

const mean = (values: Many): number => sumOf(values) / values.length
const extreme =
  (isGreater: boolean) =>
  (values: Many): number => {
    let best = values[0]!
    for (const value of values) {
      if (Number.isNaN(value)) return value
      if (isGreater ? value > best : value < best) best = value
    }
    return best
  }
const place =
  (isGreater: boolean) =>
  (values: Many): number => {
    const best = extreme(isGreater)(values)
    return values.findIndex((value) => value === best || Object.is(value, best))
  }

function variance(values: Many, freedom: number): number {
  const center = mean(values)
  return sumOf(values.map((value) => (value - center) * (value - center))) / (values.length - freedom)
}

export function percentile(values: Many, share: number): number {
  if (values.length === 0) return Number.NaN
  const order = [...values].sort((a, b) => a - b)
  if (order.some(Number.isNaN)) return Number.NaN
  const at = (order.length - 1) * share
  const [low, high] = [order[Math.floor(at)]!, order[Math.ceil(at)]!]
  const part = at - Math.floor(at)
  return part >= 0.5 ? high - (high - low) * (1 - part) : low + (high - low) * part
}

function median(values: Many): number {
  if (values.length === 0 || values.some(Number.isNaN)) return Number.NaN
  const order = [...values].sort((a, b) => a - b)
  const half = order.length >> 1
  return order.length % 2 === 1 ? order[half]! : mean([order[half - 1]!, order[half]!])
}

export const REDUCTIONS: Readonly<Record<string, Reduction>> = {
  sum: { how: sumOf, dtype: toInteger },
  prod: { how: (values) => values.reduce((made, value) => made * value, 1), dtype: toInteger },
  mean: { how: mean, dtype: toFloat },
  median: { how: median, dtype: toFloat },
  min: { how: extreme(false), dtype: same, empty: 'reduction operation minimum which has no identity' },
  max: { how: extreme(true), dtype: same, empty: 'reduction operation maximum which has no identity' },
  ptp: {
    how: (values) => extreme(true)(values) - extreme(false)(values),
    dtype: same,
    empty: 'reduction operation maximum which has no identity',
  },
  argmin: { how: place(false), dtype: toIndex },
  argmax: { how: place(true), dtype: toIndex },
  any: { how: (values) => Number(values.some((value) => value !== 0)), dtype: toBool },
  all: { how: (values) => Number(values.every((value) => value !== 0)), dtype: toBool },
  count_nonzero: { how: (values) => values.filter((value) => value !== 0).length, dtype: toIndex },
  nansum: { how: (values) => sumOf(values.filter((value) => !Number.isNaN(value))), dtype: toInteger },
  nanmean: { how: (values) => mean(values.filter((value) => !Number.isNaN(value))), dtype: toFloat },
  nanmin: { how: (values) => extreme(false)(values.filter((value) => !Number.isNaN(value))), dtype: same },
  nanmax: { how: (values) => extreme(true)(values.filter((value) => !Number.isNaN(value))), dtype: same },
}

/** Other names for the same. */
export const ALSO: Readonly<Record<string, string>> = { amin: 'min', amax: 'max', product: 'prod' }

/** With the axes in question at the end, so that what belongs together lies together. */
function gathered(rt: Runtime, array: NdArray, axes: readonly number[]): { outer: number[]; groups: Many[] } {
  const kept = array.shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis))
  const order = [...kept, ...axes]
  const turned = new NdArray(
    array.data,
    array.dtype,
    order.map((axis) => array.shape[axis]!),
    { strides: order.map((axis) => array.strides[axis]!), offset: array.offset },
  )
  const numbers = Array.from(turned.flat())
  rt.work(numbers.length)
  rt.make(numbers.length)
  const outer = kept.map((axis) => array.shape[axis]!)
  const count = outer.reduce((size, length) => size * length, 1)
  const each = axes.reduce((size, axis) => size * array.shape[axis]!, 1)
  return { outer, groups: Array.from({ length: count }, (_, i) => numbers.slice(i * each, (i + 1) * each)) }
}

export function reduce(
  rt: Runtime,
  array: NdArray,
  { how, dtype, empty }: Reduction,
  { axis = null, keepsAxes = false }: { axis?: Value; keepsAxes?: boolean } = {},
): NdArray {
  const count = array.shape.length
  const axes =
    axis === null
      ? array.shape.map((_, i) => i)
      : (axis instanceof Tuple ? axis.items : [axis]).map((one) => axisOf(rt, one, count))
  const { outer, groups } = gathered(rt, array, axes)
  if (empty !== undefined && groups.some(({ length }) => length === 0))
    throw fault(rt, 'ValueError', `zero-size array to ${empty}`)
  const made = groups.map((values) => how(values, rt))
  const shape = keepsAxes ? array.shape.map((length, i) => (axes.includes(i) ? 1 : length)) : outer
  return reduced(arrayOf(rt, made, dtype(array.dtype), shape))
}

/** The same number of numbers as there were, along an axis: running sums, sorted numbers. */
export function along(rt: Runtime, array: NdArray, axis: Value, dtype: DType, how: (values: Many) => Many): NdArray {
  const flat = axis === null ? new NdArray(array.flat(), array.dtype, [array.size]) : array
  const at = axis === null ? 0 : axisOf(rt, axis, array.shape.length)
  const { outer, groups } = gathered(rt, flat, [at])
  const made = groups.map(how)
  const length = made[0]?.length ?? flat.shape[at]!
  const shape = [...outer, length]
  const turned = arrayOf(rt, made.flat(), dtype, shape)
  // The axis goes back to where it was.
  const order = shape.map((_, i) => (i < at ? i : i === at ? shape.length - 1 : i - 1))
  const back = new NdArray(
    turned.data,
    dtype,
    order.map((i) => shape[i]!),
    { strides: order.map((i) => turned.strides[i]!), offset: 0 },
  )
  return arrayOf(rt, back.flat(), dtype, back.shape)
}

/** The functions of numpy and the methods of arrays that reduce. */
export function reducers(self: 'a' | 'self'): [string, Native][] {
  const plain = Object.entries(REDUCTIONS).map(([name, reduction]): [string, Native] => [
    name,
    native(
      name,
      `${self} axis? dtype? out? *, keepdims? initial? where?`,
      (rt, [value, axis = null, , , keeps = false]) =>
        reduce(rt, asArray(rt, value!), reduction, { axis, keepsAxes: truth(rt, keeps) }),
    ),
  ])
  const spread = (['var', 'std'] as const).map((name): [string, Native] => [
    name,
    native(
      name,
      `${self} axis? dtype? out? ddof? *, keepdims?`,
      (rt, [value, axis = null, , , freedom = 0n, keeps = false]) =>
        reduce(
          rt,
          asArray(rt, value!),
          {
            how: (values) => {
              const made = variance(values, Number(freedom))
              return name === 'std' ? Math.sqrt(made) : made
            },
            dtype: toFloat,
          },
          { axis, keepsAxes: truth(rt, keeps) },
        ),
    ),
  ])
  const running: [string, Native][] = (
    [
      ['cumsum', (x: number, y: number) => x + y],
      ['cumprod', (x: number, y: number) => x * y],
    ] as const
  ).map(([name, how]) => [
    name,
    native(name, `${self} axis?`, (rt, [value, axis = null]) => {
      const array = asArray(rt, value!)
      return along(rt, array, axis, toInteger(array.dtype), (values) => {
        let total = name === 'cumsum' ? 0 : 1
        return values.map((number) => (total = how(total, number)))
      })
    }),
  ])
  const all = [...plain, ...spread, ...running]
  return [
    ...all,
    ...Object.entries(ALSO).map(([name, as]): [string, Native] => [name, all.find(([own]) => own === as)![1]]),
  ]
}
