/** A 4 × 4 matrix, column after column, as glTF writes them. */
export type Matrix = readonly number[]

export const IDENTITY: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

export function multiply(a: Matrix, b: Matrix): Matrix {
  const out: number[] = []
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0
      for (let k = 0; k < 4; k++) sum += a[k * 4 + row]! * b[column * 4 + k]!
      out.push(sum)
    }
  }
  return out
}

export interface Placing {
  translation: readonly number[]
  /** A quaternion, x y z w. */
  rotation: readonly number[]
  scale: readonly number[]
}

export function placingMatrix({ translation, rotation, scale }: Placing): Matrix {
  const [x, y, z, w] = rotation as [number, number, number, number]
  const [sx, sy, sz] = scale as [number, number, number]
  return [
    (1 - 2 * (y * y + z * z)) * sx,
    2 * (x * y + z * w) * sx,
    2 * (x * z - y * w) * sx,
    0,
    2 * (x * y - z * w) * sy,
    (1 - 2 * (x * x + z * z)) * sy,
    2 * (y * z + x * w) * sy,
    0,
    2 * (x * z + y * w) * sz,
    2 * (y * z - x * w) * sz,
    (1 - 2 * (x * x + y * y)) * sz,
    0,
    translation[0]!,
    translation[1]!,
    translation[2]!,
    1,
  ]
}

/** Points, x y z after x y z, where the matrix puts them. */
export function placePoints(m: Matrix, points: Float32Array): Float32Array {
  const placed = new Float32Array(points.length)
  for (let i = 0; i < points.length; i += 3) transformPoint(m, points, i, placed)
  return placed
}

export function placeNormals(m: Matrix, normals: Float32Array): Float32Array {
  const placed = new Float32Array(normals.length)
  for (let i = 0; i < normals.length; i += 3) transformDirection(m, normals, i, placed)
  return placed
}

function transformPoint(m: Matrix, from: Float32Array, at: number, to: Float32Array): void {
  const x = from[at]!
  const y = from[at + 1]!
  const z = from[at + 2]!
  to[at] = m[0]! * x + m[4]! * y + m[8]! * z + m[12]!
  to[at + 1] = m[1]! * x + m[5]! * y + m[9]! * z + m[13]!
  to[at + 2] = m[2]! * x + m[6]! * y + m[10]! * z + m[14]!
}

/** Normals turn with the cofactors of the matrix, which also holds where it scales unevenly or mirrors. */
function transformDirection(m: Matrix, from: Float32Array, at: number, to: Float32Array): void {
  const a = m[0]!
  const b = m[4]!
  const c = m[8]!
  const d = m[1]!
  const e = m[5]!
  const f = m[9]!
  const g = m[2]!
  const h = m[6]!
  const i = m[10]!
  const x = from[at]!
  const y = from[at + 1]!
  const z = from[at + 2]!
  const nx = (e * i - f * h) * x + (f * g - d * i) * y + (d * h - e * g) * z
  const ny = (c * h - b * i) * x + (a * i - c * g) * y + (b * g - a * h) * z
  const nz = (b * f - c * e) * x + (c * d - a * f) * y + (a * e - b * d) * z
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1
  to[at] = nx / length
  to[at + 1] = ny / length
  to[at + 2] = nz / length
}

/** Which joints pull at each vertex, and how hard: `width` numbers to a vertex. */
export interface SkinWeights {
  joints: ArrayLike<number>
  weights: ArrayLike<number>
  width: number
}

/**
 * Points and normals where the joints of a skeleton put them: the mean of the joints' matrices, by weight. Vertices that
 * no joint pulls at stay where they are.
 */
export function placeSkinned(
  matrices: readonly Matrix[],
  { joints, weights, width }: SkinWeights,
  points: Float32Array,
  normals: Float32Array | undefined,
): { positions: Float32Array; normals: Float32Array | undefined } {
  const positions = new Float32Array(points.length)
  const turned = normals && new Float32Array(normals.length)
  const mean: number[] = Array.from({ length: 16 }, () => 0)
  for (let vertex = 0; vertex * 3 < points.length; vertex++) {
    mean.fill(0)
    let sum = 0
    for (let k = 0; k < width; k++) {
      const weight = weights[vertex * width + k]!
      const matrix = matrices[joints[vertex * width + k]!]
      if (!(weight > 0) || !matrix) continue
      sum += weight
      for (let i = 0; i < 16; i++) mean[i]! += weight * matrix[i]!
    }
    if (sum > 0) for (let i = 0; i < 16; i++) mean[i]! /= sum
    const m = sum > 0 ? mean : IDENTITY
    transformPoint(m, points, vertex * 3, positions)
    if (normals && turned) transformDirection(m, normals, vertex * 3, turned)
  }
  return { positions, normals: turned }
}
