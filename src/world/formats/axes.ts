import type { TriangleMesh } from '../mesh.ts'

/** Which way is up in a file. Sightline itself is z up. */
export type UpAxis = 'x' | 'y' | 'z'

/** Turns a mesh in place so that `up` becomes z, right-handed, and scales it to meters. */
export function toWorldAxes(mesh: TriangleMesh, up: UpAxis, metersPerUnit = 1): TriangleMesh {
  if (up !== 'z' || metersPerUnit !== 1) turn(mesh.positions, up, metersPerUnit)
  if (up !== 'z' && mesh.normals) turn(mesh.normals, up, 1)
  return mesh
}

function turn(values: Float32Array, up: UpAxis, scale: number): void {
  for (let i = 0; i < values.length; i += 3) {
    const x = values[i]! * scale
    const y = values[i + 1]! * scale
    const z = values[i + 2]! * scale
    if (up === 'y') {
      values[i] = x
      values[i + 1] = 0 - z
      values[i + 2] = y
    } else if (up === 'x') {
      values[i] = y
      values[i + 1] = z
      values[i + 2] = x
    } else {
      values[i] = x
      values[i + 1] = y
      values[i + 2] = z
    }
  }
}
