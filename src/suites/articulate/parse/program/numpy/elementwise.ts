/** Arithmetic, comparison and functions, number by number, with shapes stretched to fit. */
import { divmod, fault, type Runtime, typeOf, type Value } from '../values/index.ts'
import { arrayOf, asArray, commonType, type DType, dtypeOf, kindOf, NdArray, reduced, shapeText } from './array.ts'

/** The shape that both stretch to. */
export function broadcastShape(rt: Runtime, ...shapes: readonly (readonly number[])[]): number[] {
  const axes = Math.max(0, ...shapes.map(({ length }) => length))
  return Array.from({ length: axes }, (_, axis) => {
    let length = 1
    for (const shape of shapes) {
      const own = shape[axis - axes + shape.length] ?? 1
      if (own === 1 || own === length) continue
      if (length !== 1)
        throw fault(
          rt,
          'ValueError',
          `operands could not be broadcast together with shapes ${shapes.map(shapeText).join(' ')} `,
        )
      length = own
    }
    return length
  })
}

/** The same numbers in a larger shape, without a copy. */
export function broadcast(array: NdArray, shape: readonly number[]): NdArray {
  const extra = shape.length - array.shape.length
  const strides = shape.map((_, axis) =>
    axis < extra || array.shape[axis - extra] === 1 ? 0 : array.strides[axis - extra]!,
  )
  return new NdArray(array.data, array.dtype, shape, { strides, offset: array.offset })
}

/** A function of two numbers over two arrays. */
export function zipWith(
  rt: Runtime,
  a: NdArray,
  b: NdArray,
  dtype: DType,
  how: (x: number, y: number) => number,
): NdArray {
  const shape = broadcastShape(rt, a.shape, b.shape)
  const [left, right] = [broadcast(a, shape), broadcast(b, shape)]
  rt.work(left.size)
  const [p, q] = [left.places(), right.places()]
  const made = new Float64Array(p.length)
  for (let i = 0; i < p.length; i++) made[i] = how(left.data[p[i]!]!, right.data[q[i]!]!)
  return reduced(arrayOf(rt, made, dtype, shape))
}

export function mapWith(rt: Runtime, array: NdArray, dtype: DType, how: (x: number) => number): NdArray {
  rt.work(array.size)
  return reduced(arrayOf(rt, array.flat().map(how), dtype, array.shape))
}

const FLOATS: Readonly<Record<string, (x: number, y: number) => number>> = {
  '+': (x, y) => x + y,
  '-': (x, y) => x - y,
  '*': (x, y) => x * y,
  '/': (x, y) => x / y,
  '//': (x, y) => (y === 0 ? Math.floor(x / y) : divmod(x, y)[0]),
  '%': (x, y) => (y === 0 ? Number.NaN : divmod(x, y)[1]),
  '**': (x, y) => (x === 1 || y === 0 ? 1 : x ** y),
}
const INTEGERS: Readonly<Record<string, (x: number, y: number) => number>> = {
  ...FLOATS,
  '//': (x, y) => (y === 0 ? 0 : Math.floor(x / y)),
  '%': (x, y) => (y === 0 ? 0 : x - y * Math.floor(x / y)),
  '&': (x, y) => Number(BigInt(x) & BigInt(y)),
  '|': (x, y) => Number(BigInt(x) | BigInt(y)),
  '^': (x, y) => Number(BigInt(x) ^ BigInt(y)),
  '<<': (x, y) => x * 2 ** y,
  '>>': (x, y) => Math.floor(x / 2 ** y),
}
const TRUTHS: Readonly<Record<string, (x: number, y: number) => number>> = {
  '+': (x, y) => x | y,
  '*': (x, y) => x & y,
  '&': (x, y) => x & y,
  '|': (x, y) => x | y,
  '^': (x, y) => x ^ y,
}
const COMPARISONS: Readonly<Record<string, (x: number, y: number) => number>> = {
  '==': (x, y) => Number(x === y),
  '!=': (x, y) => Number(x !== y),
  '<': (x, y) => Number(x < y),
  '<=': (x, y) => Number(x <= y),
  '>': (x, y) => Number(x > y),
  '>=': (x, y) => Number(x >= y),
}

/** Null for what cannot be in an array: the other side may know what to do. */
export function operand(rt: Runtime, value: Value): NdArray | null {
  if (value instanceof NdArray) return value
  const isSequence = ['list', 'tuple', 'range'].includes(typeOf(value).name)
  return dtypeOf(value) === null && !isSequence ? null : asArray(rt, value)
}

export function arithmetic(rt: Runtime, operator: string, left: Value, right: Value): Value | undefined {
  const [a, b] = [operand(rt, left), operand(rt, right)]
  if (!a || !b) return undefined
  if (operator === '@') return matrixProduct(rt, a, b)
  let dtype = commonType(a, b)
  if (operator === '/') dtype = dtype === 'float32' ? 'float32' : 'float64'
  if (dtype === 'bool') {
    const how = TRUTHS[operator]
    if (how) return zipWith(rt, a, b, 'bool', how)
    if (operator === '-')
      throw fault(
        rt,
        'TypeError',
        'numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the logical_xor function instead.',
      )
    dtype = 'int64'
  }
  if (kindOf(dtype) === 'float') {
    const how = FLOATS[operator]
    if (how) return zipWith(rt, a, b, dtype, how)
    throw fault(
      rt,
      'TypeError',
      `ufunc '${BITWISE[operator] ?? operator}' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''`,
    )
  }
  if (operator === '**' && b.flat().some((power) => power < 0))
    throw fault(rt, 'ValueError', 'Integers to negative integer powers are not allowed.')
  const how = INTEGERS[operator]
  return how && zipWith(rt, a, b, dtype, how)
}

const BITWISE: Readonly<Record<string, string>> = {
  '&': 'bitwise_and',
  '|': 'bitwise_or',
  '^': 'bitwise_xor',
  '<<': 'left_shift',
  '>>': 'right_shift',
}

export function comparison(rt: Runtime, operator: string, left: Value, right: Value): Value | undefined {
  const [a, b] = [operand(rt, left), operand(rt, right)]
  if (a && b) return zipWith(rt, a, b, 'bool', COMPARISONS[operator]!)
  // Nothing in an array equals what cannot be in one.
  const array = a ?? b
  if (!array || (operator !== '==' && operator !== '!=')) return undefined
  return mapWith(rt, array, 'bool', () => Number(operator === '!='))
}

export function unaryOperation(rt: Runtime, operator: string, array: NdArray): NdArray {
  if (operator === '+') return mapWith(rt, array, array.dtype, (x) => x)
  if (operator === '~') {
    if (array.dtype === 'bool') return mapWith(rt, array, 'bool', (x) => 1 - x)
    if (kindOf(array.dtype) === 'int') return mapWith(rt, array, array.dtype, (x) => -x - 1)
    throw fault(
      rt,
      'TypeError',
      "ufunc 'invert' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''",
    )
  }
  if (array.dtype === 'bool')
    throw fault(
      rt,
      'TypeError',
      'The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the logical_not function instead.',
    )
  return mapWith(rt, array, array.dtype, (x) => (kindOf(array.dtype) === 'int' ? 0 - x : -x))
}

/** `a @ b`: vectors and matrices, and stacks of them. */
export function matrixProduct(rt: Runtime, a: NdArray, b: NdArray, name = 'matmul'): NdArray {
  if (a.shape.length === 0 || b.shape.length === 0)
    throw fault(
      rt,
      'ValueError',
      `${name}: Input operand ${a.shape.length === 0 ? 0 : 1} does not have enough dimensions (has 0, gufunc core with signature (n?,k),(k,m?)->(n?,m?) requires 1)`,
    )
  const left =
    a.shape.length === 1
      ? new NdArray(a.data, a.dtype, [1, ...a.shape], { strides: [0, ...a.strides], offset: a.offset })
      : a
  const right =
    b.shape.length === 1
      ? new NdArray(b.data, b.dtype, [...b.shape, 1], { strides: [...b.strides, 0], offset: b.offset })
      : b
  const [rows, inner] = [left.shape.at(-2)!, left.shape.at(-1)!]
  const [other, columns] = [right.shape.at(-2)!, right.shape.at(-1)!]
  if (inner !== other)
    throw fault(
      rt,
      'ValueError',
      `${name}: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size ${other} is different from ${inner})`,
    )
  const stack = broadcastShape(rt, left.shape.slice(0, -2), right.shape.slice(0, -2))
  const [p, q] = [
    broadcast(left, [...stack, rows, inner]).places(),
    broadcast(right, [...stack, inner, columns]).places(),
  ]
  const count = stack.reduce((size, length) => size * length, 1)
  rt.work(count * rows * columns * inner)
  rt.make(count * rows * columns)
  const made = new Float64Array(count * rows * columns)
  for (let s = 0; s < count; s++)
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < columns; j++) {
        let sum = 0
        for (let k = 0; k < inner; k++)
          sum += left.data[p[(s * rows + i) * inner + k]!]! * right.data[q[(s * inner + k) * columns + j]!]!
        made[(s * rows + i) * columns + j] = sum
      }
  const shape = [...stack, ...(a.shape.length === 1 ? [] : [rows]), ...(b.shape.length === 1 ? [] : [columns])]
  const dtype = commonType(left, right)
  return reduced(arrayOf(rt, made, dtype, shape))
}
