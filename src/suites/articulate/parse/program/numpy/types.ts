/** How arrays and their numbers behave in a program: operators, methods, attributes. */
import {
  fault,
  format,
  formatNumber,
  indexOf,
  iterator,
  native,
  natives,
  NO_NAMES,
  Property,
  type PyType,
  rounded,
  roundNumber,
  type Runtime,
  type Slots,
  truncated,
  Tuple,
  TYPES,
  type Value,
} from '../values/index.ts'
import {
  arrayOf,
  asArray,
  cast,
  type DType,
  DTYPES,
  givenShape,
  kindOf,
  listed,
  NdArray,
  NDARRAY,
  pythonValue,
  reduced,
  row,
  SCALARS,
  scalar,
  shapeValue,
  stored,
} from './array.ts'
import { dtypeValue, givenType } from './dtypes.ts'
import { arithmetic, broadcast, comparison, unaryOperation } from './elementwise.ts'
import { clip, roundTo } from './elementary.ts'
import { sortAlong, sortPlaces } from './search.ts'
import { dot } from './linear.ts'
import { arrayRepr, arrayText, scalarText } from './print.ts'
import { reducers } from './reduce.ts'
import { getItems, select, trueAt } from './select.ts'
import { reshape, squeeze, transpose } from './shape.ts'

function arrayIn(value: Value | undefined): NdArray {
  if (value instanceof NdArray) return value
  throw new TypeError('an array was expected')
}

/** The one number of an array that has one. */
function only(rt: Runtime, array: NdArray): number {
  if (array.size !== 1) throw fault(rt, 'TypeError', 'only length-1 arrays can be converted to Python scalars')
  return array.flat()[0]!
}

/** Writes numbers to the places that an index means. */
function assign(rt: Runtime, array: NdArray, index: Value, value: Value): void {
  if (array.isScalar) throw fault(rt, 'TypeError', `'${array.type.name}' object does not support item assignment`)
  const { shape, places } = select(rt, array, index)
  const given = asArray(rt, value)
  // Leading axes of length 1 do not count.
  const extra = Math.max(0, given.shape.length - shape.length)
  const source = given.shape.slice(0, extra).every((length) => length === 1)
    ? reshape(rt, given, given.shape.slice(extra))
    : given
  const fits = source.shape.every(
    (length, i) => length === 1 || length === shape[i + shape.length - source.shape.length],
  )
  if (!fits || source.shape.length > shape.length)
    throw fault(
      rt,
      'ValueError',
      `could not broadcast input array from shape ${tupleText(given.shape)} into shape ${tupleText(shape)}`,
    )
  const numbers = broadcast(source, shape).flat()
  rt.work(places.length)
  places.forEach((place, i) => {
    array.data[place] = stored(rt, numbers[i]!, array.dtype)
  })
}

const tupleText = (shape: readonly number[]): string => (shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(',')})`)

const slots: Slots = {
  binary: arithmetic,
  reflected: arithmetic,
  inPlace(rt, operator, left, right) {
    const array = arrayIn(left)
    if (array.isScalar) return undefined
    const made = arithmetic(rt, operator, left, right)
    if (!(made instanceof NdArray)) return undefined
    if (DTYPES.indexOf(made.dtype) > DTYPES.indexOf(array.dtype) && kindOf(made.dtype) !== kindOf(array.dtype))
      throw fault(
        rt,
        'UFuncTypeError',
        `Cannot cast ufunc '${UFUNC[operator] ?? operator}' output from dtype('${made.dtype}') to dtype('${array.dtype}') with casting rule 'same_kind'`,
      )
    if (made.shape.join() !== array.shape.join())
      throw fault(
        rt,
        'ValueError',
        `non-broadcastable output operand with shape ${tupleText(array.shape)} doesn't match the broadcast shape ${tupleText(made.shape)}`,
      )
    const numbers = made.flat()
    array.places().forEach((place, i) => {
      array.data[place] = numbers[i]!
    })
    return array
  },
  compare: comparison,
  unary: (rt, operator, value) => unaryOperation(rt, operator, arrayIn(value)),
  truth(rt, value) {
    const array = arrayIn(value)
    if (array.size > 1)
      throw fault(
        rt,
        'ValueError',
        'The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()',
      )
    return array.size === 1 && array.flat()[0] !== 0
  },
  repr: (rt, value) => {
    const array = arrayIn(value)
    return array.isScalar ? scalarText(array.data[array.offset]!, array.dtype) : arrayRepr(rt, array)
  },
  str: (rt, value) => arrayText(rt, arrayIn(value)),
  format(rt, value, spec) {
    const array = arrayIn(value)
    if (array.shape.length > 0) {
      if (spec === '') return arrayText(rt, array)
      throw fault(rt, 'TypeError', 'unsupported format string passed to numpy.ndarray.__format__')
    }
    const plain = pythonValue(array.data[array.offset]!, array.dtype)
    if (spec === '') return arrayText(rt, array)
    return typeof plain === 'number' || typeof plain === 'bigint'
      ? formatNumber(rt, plain, spec)
      : format(rt, plain, spec)
  },
}

const UFUNC: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '//': 'floor_divide',
  '%': 'remainder',
  '**': 'power',
}

Object.assign(NDARRAY.slots, slots, {
  length(rt, value) {
    const [length] = arrayIn(value).shape
    if (length === undefined) throw fault(rt, 'TypeError', 'len() of unsized object')
    return length
  },
  iterate(rt, value) {
    const array = arrayIn(value)
    const [length] = array.shape
    if (length === undefined) throw fault(rt, 'TypeError', 'iteration over a 0-d array')
    let at = -1
    return iterator(rt, 'iterator', () => {
      at += 1
      return at < length ? row(array, at) : undefined
    })
  },
  contains(rt, whole, item) {
    const same = comparison(rt, '==', whole, item)
    return same instanceof NdArray && same.flat().some((value) => value !== 0)
  },
  getItem: (rt, value, index) => getItems(rt, arrayIn(value), index),
  setItem: (rt, value, index, item) => assign(rt, arrayIn(value), index, item),
} satisfies Slots)

for (const dtype of DTYPES)
  Object.assign(SCALARS[dtype].slots, slots, {
    key: (_, value) => {
      const number = arrayIn(value).data[arrayIn(value).offset]!
      return `n${Number.isInteger(number) ? BigInt(number) : String(number)}`
    },
    getItem(rt) {
      throw fault(rt, 'IndexError', 'invalid index to scalar variable.')
    },
  } satisfies Slots)

// methods

function dimensions(rt: Runtime, rest: readonly Value[]): number[] {
  const [first] = rest
  return rest.length === 1 && indexOf(rt, first!) === null
    ? givenShape(rt, first!)
    : rest.map((value) => Number(indexOf(rt, value) ?? 0))
}

function copied(rt: Runtime, array: NdArray): NdArray {
  const made = arrayOf(rt, array.flat(), array.dtype, array.shape)
  return array.isScalar ? reduced(made) : made
}

const METHODS = [
  ...reducers('self').filter(
    ([name]) =>
      !['median', 'count_nonzero', 'nansum', 'nanmean', 'nanmin', 'nanmax', 'amin', 'amax', 'product'].includes(name),
  ),
  ...natives(
    ['tolist', 'self', (rt, [self]) => listed(rt, arrayIn(self))],
    [
      'item',
      'self *args',
      (rt, [self], rest) => {
        const array =
          rest.length > 0 ? getItems(rt, arrayIn(self), rest.length === 1 ? rest[0]! : new Tuple(rest)) : arrayIn(self)
        if (array.size !== 1) throw fault(rt, 'ValueError', 'can only convert an array of size 1 to a Python scalar')
        return pythonValue(array.flat()[0]!, array.dtype)
      },
    ],
    ['copy', 'self order?', (rt, [self]) => copied(rt, arrayIn(self))],
    ['astype', 'self dtype copy?', (rt, [self, dtype]) => cast(rt, copied(rt, arrayIn(self)), givenType(rt, dtype)!)],
    ['reshape', 'self *shape', (rt, [self], rest) => reshape(rt, arrayIn(self), dimensions(rt, rest))],
    ['flatten', 'self order?', (rt, [self]) => reshape(rt, copied(rt, arrayIn(self)), [-1])],
    ['ravel', 'self', (rt, [self]) => reshape(rt, arrayIn(self), [-1])],
    [
      'transpose',
      'self *axes',
      (rt, [self], rest) =>
        transpose(rt, arrayIn(self), rest.length === 0 ? null : rest.length === 1 ? rest[0]! : new Tuple(rest)),
    ],
    ['squeeze', 'self axis?', (rt, [self, axis]) => squeeze(rt, arrayIn(self), axis)],
    ['dot', 'self b', (rt, [self, b]) => dot(rt, arrayIn(self), asArray(rt, b!))],
    ['round', 'self decimals?', (rt, [self, places = 0n]) => roundTo(rt, arrayIn(self), places)],
    ['clip', 'self min? max?', (rt, [self, low = null, high = null]) => clip(rt, arrayIn(self), low, high)],
    [
      'nonzero',
      'self',
      (rt, [self]) => new Tuple(trueAt(rt, arrayIn(self)).map((places) => arrayOf(rt, places, 'int64'))),
    ],
    ['argsort', 'self axis?', (rt, [self, axis = -1n]) => sortPlaces(rt, arrayIn(self), axis)],
    [
      'sort',
      'self axis?',
      (rt, [self, axis = -1n]) => {
        const array = arrayIn(self)
        const order = sortAlong(rt, array, axis).flat()
        array.places().forEach((place, i) => {
          array.data[place] = order[i]!
        })
        return null
      },
    ],
    [
      'fill',
      'self value',
      (rt, [self, value]) => {
        const array = arrayIn(self)
        const number = stored(rt, only(rt, asArray(rt, value!)), array.dtype)
        rt.work(array.size)
        for (const place of array.places()) array.data[place] = number
        return null
      },
    ],
    [
      'repeat',
      'self repeats axis?',
      (rt, [self, times]) => {
        const numbers = arrayIn(self).flat()
        const amount = Number(indexOf(rt, times!) ?? 0)
        rt.make(numbers.length * amount)
        return arrayOf(
          rt,
          Array.from(numbers).flatMap((value) => Array.from({ length: amount }, () => value)),
          arrayIn(self).dtype,
        )
      },
    ],
    ['__float__', 'self', (rt, [self]) => only(rt, arrayIn(self))],
    ['__int__', 'self', (rt, [self]) => truncated(rt, only(rt, arrayIn(self)))],
    ['__trunc__', 'self', (rt, [self]) => truncated(rt, only(rt, arrayIn(self)))],
    ['__floor__', 'self', (rt, [self]) => truncated(rt, Math.floor(only(rt, arrayIn(self))))],
    ['__ceil__', 'self', (rt, [self]) => truncated(rt, Math.ceil(only(rt, arrayIn(self))))],
    [
      '__abs__',
      'self',
      (rt, [self]) => {
        const array = arrayIn(self)
        const made = arrayOf(rt, array.flat().map(Math.abs), array.dtype, array.shape)
        return array.isScalar ? reduced(made) : made
      },
    ],
    [
      '__round__',
      'self ndigits?',
      (rt, [self, places]) => {
        const array = arrayIn(self)
        if (array.shape.length > 0) throw fault(rt, 'TypeError', "type numpy.ndarray doesn't define __round__ method")
        const value = array.data[array.offset]!
        if (kindOf(array.dtype) !== 'float') return array
        return places === undefined || places === null
          ? rounded(rt, value)
          : scalar(rt, Number(roundNumber(rt, value, places)), array.dtype)
      },
    ],
  ),
] as const

const ATTRIBUTES: readonly (readonly [string, (rt: Runtime, array: NdArray) => Value])[] = [
  ['shape', (_, array) => shapeValue(array.shape)],
  ['ndim', (_, array) => BigInt(array.shape.length)],
  ['size', (_, array) => BigInt(array.size)],
  ['dtype', (_, array) => dtypeValue(array.dtype)],
  ['T', (rt, array) => (array.isScalar ? array : transpose(rt, array))],
  ['real', (_, array) => array],
  ['itemsize', (_, array) => (array.dtype === 'bool' ? 1n : BigInt(Number(array.dtype.slice(-2)) / 8))],
  [
    'nbytes',
    (_, array) => BigInt(array.size) * (array.dtype === 'bool' ? 1n : BigInt(Number(array.dtype.slice(-2)) / 8)),
  ],
  ['flat', (rt, array) => reshape(rt, array, [-1])],
]

function equip(type: PyType): void {
  for (const [name, method] of METHODS) type.attributes.set(name, method)
  for (const [name, get] of ATTRIBUTES)
    type.attributes.set(name, new Property(native(name, 'self', (rt, [self]) => get(rt, arrayIn(self)))))
}

equip(NDARRAY)
for (const dtype of DTYPES) {
  const type = SCALARS[dtype]
  equip(type)
  type.construct = (rt, _, [value = 0n]) => {
    const given = typeof value === 'string' ? TYPES.float.construct!(rt, TYPES.float, [value], NO_NAMES) : value
    return reduced(asArray(rt, given, dtype))
  }
  if (kindOf(dtype) === 'float')
    type.attributes.set(
      'is_integer',
      native('is_integer', 'self', (_, [self]) => Number.isInteger(arrayIn(self).data[arrayIn(self).offset])),
    )
  else
    type.attributes.set(
      '__index__',
      native('__index__', 'self', (_, [self]) => BigInt(arrayIn(self).data[arrayIn(self).offset]!)),
    )
}

export function vector(rt: Runtime, values: readonly number[], dtype: DType = 'float64'): NdArray {
  return arrayOf(rt, values, dtype)
}
