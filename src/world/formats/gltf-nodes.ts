import type { GltfNode } from './gltf-schema.ts'

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

export function nodeMatrix({ matrix, translation, rotation, scale }: GltfNode): Matrix {
  if (matrix) return matrix
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

export function transformPoint(m: Matrix, from: Float64Array, at: number, to: Float32Array): void {
  const x = from[at]!
  const y = from[at + 1]!
  const z = from[at + 2]!
  to[at] = m[0]! * x + m[4]! * y + m[8]! * z + m[12]!
  to[at + 1] = m[1]! * x + m[5]! * y + m[9]! * z + m[13]!
  to[at + 2] = m[2]! * x + m[6]! * y + m[10]! * z + m[14]!
}

/** Normals turn with the cofactors of the matrix, which also holds where it scales unevenly or mirrors. */
export function transformDirection(m: Matrix, from: Float64Array, at: number, to: Float32Array): void {
  const [a, b, c, d, e, f, g, h, i] = [m[0]!, m[4]!, m[8]!, m[1]!, m[5]!, m[9]!, m[2]!, m[6]!, m[10]!]
  const x = from[at]!
  const y = from[at + 1]!
  const z = from[at + 2]!
  const nx = (e * i - f * h) * x + (f * g - d * i) * y + (d * h - e * g) * z
  const ny = (c * h - b * i) * x + (a * i - c * g) * y + (b * g - a * h) * z
  const nz = (b * f - c * e) * x + (c * d - a * f) * y + (a * e - b * d) * z
  const length = Math.hypot(nx, ny, nz) || 1
  to[at] = nx / length
  to[at + 1] = ny / length
  to[at + 2] = nz / length
}
