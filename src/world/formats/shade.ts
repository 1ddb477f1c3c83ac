import type { TriangleMesh } from '../mesh.ts'
import { triangleNormal } from '../vector.ts'

/** Unit normals of the vertices: the directions of their triangles, weighted by area. */
export function vertexNormals({ positions, indices }: Pick<TriangleMesh, 'positions' | 'indices'>): Float32Array {
  const normals = new Float32Array(positions.length)
  const normal = new Float64Array(3)
  for (let i = 0; i < indices.length; i += 3) {
    const a = indices[i]! * 3
    const b = indices[i + 1]! * 3
    const c = indices[i + 2]! * 3
    triangleNormal(positions, a, b, c, normal)
    for (const at of [a, b, c]) {
      normals[at] = normals[at]! + normal[0]!
      normals[at + 1] = normals[at + 1]! + normal[1]!
      normals[at + 2] = normals[at + 2]! + normal[2]!
    }
  }
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i]!, normals[i + 1]!, normals[i + 2]!) || 1
    normals[i] = normals[i]! / length
    normals[i + 1] = normals[i + 1]! / length
    normals[i + 2] = normals[i + 2]! / length
  }
  return normals
}

/** Grays from dark to light; never white, so that a surface stands out from the background. */
const DARKEST = 70
const LIGHTEST = 225
/** Two lamps, so that walls at right angles differ; taken without sign, since triangles have two sides. */
const MAIN_LAMP = [0.36, 0.48, 0.8] as const
const SIDE_LAMP = [-0.8, 0.6, 0] as const

/** Colors for a mesh that brings none: grays by the direction of the surface. */
export function shadeByNormal(mesh: TriangleMesh): Uint8Array {
  const normals = mesh.normals ?? vertexNormals(mesh)
  const colors = new Uint8Array(normals.length)
  for (let i = 0; i < normals.length; i += 3) {
    const main = Math.abs(normals[i]! * MAIN_LAMP[0] + normals[i + 1]! * MAIN_LAMP[1] + normals[i + 2]! * MAIN_LAMP[2])
    const side = Math.abs(normals[i]! * SIDE_LAMP[0] + normals[i + 1]! * SIDE_LAMP[1])
    colors.fill(Math.round(DARKEST + (LIGHTEST - DARKEST) * (0.7 * main + 0.3 * side)), i, i + 3)
  }
  return colors
}
