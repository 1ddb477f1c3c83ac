/** `numpy.linalg` and the products of vectors. */
import { fault, Module, natives, type Runtime, EXCEPTIONS, type Value, integer, truth } from '../values/index.ts'
import { arrayOf, asArray, type NdArray, reduced, scalar, commonType } from './array.ts'
import { arithmetic, broadcast, broadcastShape, matrixProduct } from './elementwise.ts'
import { reduce, sumOf } from './reduce.ts'

const SINGULAR = 'Singular matrix'

/** The rows of a square matrix. */
function square(rt: Runtime, value: Value): number[][] {
  const array = asArray(rt, value)
  const [n, m] = array.shape
  if (array.shape.length !== 2)
    throw fault(
      rt,
      'LinAlgError',
      `${array.shape.length}-dimensional array given. Array must be at least two-dimensional`,
    )
  if (n !== m) throw fault(rt, 'LinAlgError', 'Last 2 dimensions of the array must be square')
  const numbers = Array.from(array.flat())
  return Array.from({ length: n! }, (_, i) => numbers.slice(i * n!, (i + 1) * n!))
}

/** Gauss with the largest pivot of each column; the factor by which the determinant changes comes with it. */
function eliminate(rt: Runtime, matrix: number[][], right: number[][]): { determinant: number } {
  const n = matrix.length
  rt.work(n * n * (n + (right[0]?.length ?? 0)))
  let determinant = 1
  for (let column = 0; column < n; column++) {
    let pivot = column
    for (let i = column + 1; i < n; i++)
      if (Math.abs(matrix[i]![column]!) > Math.abs(matrix[pivot]![column]!)) pivot = i
    if (matrix[pivot]![column] === 0) return { determinant: 0 }
    if (pivot !== column) {
      ;[matrix[pivot], matrix[column]] = [matrix[column]!, matrix[pivot]!]
      ;[right[pivot], right[column]] = [right[column]!, right[pivot]!]
      determinant = -determinant
    }
    determinant *= matrix[column]![column]!
    for (let i = column + 1; i < n; i++) {
      const factor = matrix[i]![column]! / matrix[column]![column]!
      if (factor === 0) continue
      for (let k = column; k < n; k++) matrix[i]![k]! -= factor * matrix[column]![k]!
      for (let k = 0; k < right[i]!.length; k++) right[i]![k]! -= factor * right[column]![k]!
    }
  }
  return { determinant }
}

function solved(rt: Runtime, matrix: number[][], right: number[][]): number[][] {
  const n = matrix.length
  if (eliminate(rt, matrix, right).determinant === 0) throw fault(rt, 'LinAlgError', SINGULAR)
  for (let i = n - 1; i >= 0; i--)
    for (let k = 0; k < right[i]!.length; k++) {
      let value = right[i]![k]!
      for (let j = i + 1; j < n; j++) value -= matrix[i]![j]! * right[j]![k]!
      right[i]![k] = value / matrix[i]![i]!
    }
  return right
}

const unit = (n: number): number[][] =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => Number(i === j)))

function norm(rt: Runtime, value: Value, order: Value, axis: Value, keepsAxes: boolean): Value {
  const array = asArray(rt, value)
  const kind = order === null || order === 'fro' ? 2 : Number(order instanceof Object ? 2 : order)
  if (array.shape.length > 1 && axis === null && order !== null && order !== 'fro')
    throw fault(rt, 'NotImplementedError', 'norms of matrices other than the Frobenius norm are not supported')
  return reduce(
    rt,
    array,
    {
      how: (values) => {
        const sizes = values.map(Math.abs)
        if (kind === 2) return Math.sqrt(sumOf(sizes.map((size) => size * size)))
        if (kind === Infinity) return Math.max(0, ...sizes)
        if (kind === -Infinity) return Math.min(...sizes)
        if (kind === 0) return sizes.filter((size) => size !== 0).length
        return sumOf(sizes.map((size) => size ** kind)) ** (1 / kind)
      },
      dtype: (dtype) => (dtype === 'float32' ? 'float32' : 'float64'),
    },
    { axis, keepsAxes },
  )
}

function solve(rt: Runtime, a: Value, b: Value): Value {
  const matrix = square(rt, a)
  const right = asArray(rt, b)
  const isVector = right.shape.length === 1
  if (right.shape[0] !== matrix.length)
    throw fault(
      rt,
      'ValueError',
      `solve${isVector ? '1' : ''}: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (m,m),(m${isVector ? '' : ',n'})->(m${isVector ? '' : ',n'}) (size ${right.shape[0]} is different from ${matrix.length})`,
    )
  const numbers = Array.from(right.flat())
  const width = isVector ? 1 : right.shape[1]!
  const columns = matrix.map((_, i) => numbers.slice(i * width, (i + 1) * width))
  return arrayOf(rt, solved(rt, matrix, columns).flat(), 'float64', right.shape)
}

/** `dot`: of numbers, vectors and matrices. */
export function dot(rt: Runtime, a: NdArray, b: NdArray): Value {
  if (a.shape.length === 0 || b.shape.length === 0) return arithmetic(rt, '*', a, b)!
  const inner = b.shape.length === 1 ? b.shape[0] : b.shape.at(-2)
  if (a.shape.at(-1) !== inner) {
    const text = (shape: readonly number[]): string => `(${shape.join(',')}${shape.length === 1 ? ',' : ''})`
    throw fault(
      rt,
      'ValueError',
      `shapes ${text(a.shape)} and ${text(b.shape)} not aligned: ${a.shape.at(-1)} (dim ${a.shape.length - 1}) != ${inner} (dim ${Math.max(0, b.shape.length - 2)})`,
    )
  }
  return matrixProduct(rt, a, b)
}

function cross(rt: Runtime, left: Value, right: Value): Value {
  const [a, b] = [asArray(rt, left), asArray(rt, right)]
  const [n, m] = [a.shape.at(-1), b.shape.at(-1)]
  if ((n !== 2 && n !== 3) || (m !== 2 && m !== 3))
    throw fault(rt, 'ValueError', 'incompatible dimensions for cross product\n(dimension must be 2 or 3)')
  const outer = broadcastShape(rt, a.shape.slice(0, -1), b.shape.slice(0, -1))
  const [p, q] = [broadcast(a, [...outer, n]).flat(), broadcast(b, [...outer, m]).flat()]
  const count = p.length / n
  const isFlat = n === 2 && m === 2
  const made: number[] = []
  rt.make(count * 3)
  for (let i = 0; i < count; i++) {
    const [x, y, z = 0] = p.slice(i * n, (i + 1) * n)
    const [u, v, w = 0] = q.slice(i * m, (i + 1) * m)
    if (!isFlat) made.push(y! * w - z * v!, z * u! - x! * w)
    made.push(x! * v! - y! * u!)
  }
  return reduced(arrayOf(rt, made, commonType(a, b), isFlat ? outer : [...outer, 3]))
}

function outer(rt: Runtime, left: Value, right: Value): Value {
  const [a, b] = [asArray(rt, left), asArray(rt, right)]
  const [p, q] = [a.flat(), b.flat()]
  rt.make(p.length * q.length)
  const made: number[] = []
  for (const x of p) for (const y of q) made.push(x * y)
  return arrayOf(rt, made, commonType(a, b), [p.length, q.length])
}

const PRODUCTS = natives(
  ['dot', 'a b', (rt, [a, b]) => dot(rt, asArray(rt, a!), asArray(rt, b!))],
  ['matmul', 'a b', (rt, [a, b]) => matrixProduct(rt, asArray(rt, a!), asArray(rt, b!))],
  ['vdot', 'a b', (rt, [a, b]) => dot(rt, flat(rt, a!), flat(rt, b!))],
  ['inner', 'a b', (rt, [a, b]) => dot(rt, asArray(rt, a!), asArray(rt, b!))],
  ['outer', 'a b', (rt, [a, b]) => outer(rt, a!, b!)],
  ['cross', 'a b', (rt, [a, b]) => cross(rt, a!, b!)],
)

function flat(rt: Runtime, value: Value): NdArray {
  const array = asArray(rt, value)
  return arrayOf(rt, array.flat(), array.dtype)
}

export const PRODUCT_NAMES: readonly [string, Value][] = PRODUCTS

export const LINALG = new Module(
  'numpy.linalg',
  new Map<string, Value>([
    ...natives(
      [
        'norm',
        'x ord? axis? keepdims?',
        (rt, [value, order = null, axis = null, keeps = false]) => norm(rt, value!, order, axis, truth(rt, keeps)),
      ],
      [
        'inv',
        'a',
        (rt, [a]) => {
          const matrix = square(rt, a!)
          const n = matrix.length
          return arrayOf(rt, solved(rt, matrix, unit(n)).flat(), 'float64', [n, n])
        },
      ],
      [
        'det',
        'a',
        (rt, [a]) => {
          const matrix = square(rt, a!)
          const { determinant } = eliminate(
            rt,
            matrix,
            matrix.map(() => []),
          )
          // numpy adds logarithms and shows the rounding of it.
          const size = Math.exp(matrix.reduce((sum, line, i) => sum + Math.log(Math.abs(line[i]!)), 0))
          return scalar(rt, determinant === 0 ? 0 : Math.sign(determinant) * size, 'float64')
        },
      ],
      ['solve', 'a b', (rt, [a, b]) => solve(rt, a!, b!)],
      ['matrix_rank', 'a', (rt, [a]) => rank(rt, asArray(rt, a!))],
      [
        'matrix_power',
        'a n',
        (rt, [a, n]) => {
          const power = integer(rt, n!)
          if (power < 0n || power > 64n)
            throw fault(rt, 'NotImplementedError', 'powers of matrices from 0 to 64 are supported')
          let made = arrayOf(rt, unit(square(rt, a!).length).flat(), asArray(rt, a!).dtype, asArray(rt, a!).shape)
          for (let i = 0n; i < power; i++) made = matrixProduct(rt, made, asArray(rt, a!))
          return made
        },
      ],
      ...(['eig', 'eigh', 'eigvals', 'svd', 'qr', 'pinv', 'lstsq', 'cholesky'] as const).map(
        (name) =>
          [
            name,
            'a *more',
            (rt: Runtime): Value => {
              throw fault(rt, 'NotImplementedError', `numpy.linalg.${name}() is not supported`)
            },
          ] as const,
      ),
    ),
    ['LinAlgError', EXCEPTIONS.get('LinAlgError')!],
  ]),
)

/** Rows that are left after elimination, up to rounding. */
function rank(rt: Runtime, array: NdArray): bigint {
  const [n = 0, m = 0] = array.shape
  const numbers = Array.from(array.flat())
  const matrix = Array.from({ length: n }, (_, i) => numbers.slice(i * m, (i + 1) * m))
  const tiny = Math.max(0, ...numbers.map(Math.abs)) * Math.max(n, m) * Number.EPSILON * 4
  let found = 0
  rt.work(n * n * m)
  for (let column = 0; column < m && found < n; column++) {
    let pivot = found
    for (let i = found; i < n; i++) if (Math.abs(matrix[i]![column]!) > Math.abs(matrix[pivot]![column]!)) pivot = i
    if (Math.abs(matrix[pivot]![column]!) <= tiny) continue
    ;[matrix[pivot], matrix[found]] = [matrix[found]!, matrix[pivot]!]
    for (let i = found + 1; i < n; i++) {
      const factor = matrix[i]![column]! / matrix[found]![column]!
      for (let k = column; k < m; k++) matrix[i]![k]! -= factor * matrix[found]![k]!
    }
    found += 1
  }
  return BigInt(found)
}
