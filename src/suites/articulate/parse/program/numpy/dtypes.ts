/** `dtype=`: as it is written, and as it is shown. */
import { fault, PyObject, PyType, type Runtime, str, TYPES, type Value } from '../values/index.ts'
import { type DType, DTYPES, SCALARS } from './array.ts'

/** Names of types, with those that are read as another because arrays keep floats. */
const NAMED: Readonly<Record<string, DType>> = {
  bool: 'bool',
  bool_: 'bool',
  '?': 'bool',
  int: 'int64',
  int_: 'int64',
  int64: 'int64',
  i8: 'int64',
  i: 'int32',
  int32: 'int32',
  i4: 'int32',
  float: 'float64',
  float_: 'float64',
  double: 'float64',
  float64: 'float64',
  f8: 'float64',
  d: 'float64',
  float32: 'float32',
  single: 'float32',
  f4: 'float32',
  f: 'float32',
}

const DTYPE = new PyType('numpy.dtype', {
  bases: [TYPES.object],
  slots: {
    repr: (_, value) => (value instanceof DTypeValue ? `dtype('${value.dtype}')` : ''),
    str: (_, value) => (value instanceof DTypeValue ? value.dtype : ''),
    key: (_, value) => (value instanceof DTypeValue ? `d${value.dtype}` : ''),
    attribute(_, value, name) {
      if (!(value instanceof DTypeValue)) return undefined
      if (name === 'name') return value.dtype
      if (name === 'kind') return value.dtype === 'bool' ? 'b' : value.dtype[0]!
      if (name === 'itemsize') return value.dtype === 'bool' ? 1n : BigInt(Number(value.dtype.slice(-2)) / 8)
      return name === 'type' ? SCALARS[value.dtype] : undefined
    },
    compare(rt, operator, left, right) {
      if (operator !== '==' && operator !== '!=') return undefined
      const [a, b] = [nameOf(rt, left), nameOf(rt, right)]
      return (a !== null && a === b) === (operator === '==')
    },
  },
})

class DTypeValue extends PyObject {
  readonly dtype: DType

  constructor(dtype: DType) {
    super()
    this.dtype = dtype
  }

  get type(): PyType {
    return DTYPE
  }
}

const VALUES = new Map(DTYPES.map((dtype) => [dtype, new DTypeValue(dtype)]))

export function dtypeValue(dtype: DType): Value {
  return VALUES.get(dtype)!
}

function nameOf(rt: Runtime, value: Value): DType | null {
  if (value instanceof DTypeValue) return value.dtype
  const text = value instanceof PyType ? value.name.replace('numpy.', '') : typeof value === 'string' ? value : ''
  rt.work()
  return Object.hasOwn(NAMED, text) ? NAMED[text]! : null
}

/** Undefined where none is given. */
export function givenType(rt: Runtime, value: Value | undefined): DType | undefined {
  if (value === undefined || value === null) return undefined
  const dtype = nameOf(rt, value)
  if (dtype) return dtype
  const shown = value instanceof PyType ? value.name : str(rt, value)
  throw fault(rt, 'TypeError', `data type '${shown}' is not supported; there are ${DTYPES.join(', ')}`)
}

DTYPE.construct = (rt, _, [value = null]) => dtypeValue(givenType(rt, value) ?? 'float64')

export const DTYPE_NAMES: readonly [string, Value][] = [
  ['dtype', DTYPE],
  ['float64', SCALARS.float64],
  ['float32', SCALARS.float32],
  ['int64', SCALARS.int64],
  ['int32', SCALARS.int32],
  ['bool_', SCALARS.bool],
  ['float_', SCALARS.float64],
  ['double', SCALARS.float64],
  ['int_', SCALARS.int64],
]
