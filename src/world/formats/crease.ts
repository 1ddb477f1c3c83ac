import type { TriangleMesh } from '../mesh.ts'
import { triangleNormal } from '../vector.ts'

/** Triangles that meet at a larger angle (cosine of 40°) make an edge; at a smaller one a round surface. */
const EDGE_COSINE = 0.766
/** Directions that are kept apart at one vertex; a spike has more, but nobody sees them. */
const MAX_SIDES = 8

type WithNormals = TriangleMesh & { normals: Float32Array }

/**
 * Normals for the vertices that have none. A vertex where triangles meet at an edge is split, one for each side, so
 * that a box has flat sides and a ball is round.
 */
export function creaseNormals(mesh: TriangleMesh): WithNormals {
  const { positions, indices } = mesh
  const count = positions.length / 3
  const given = mesh.normals
  const lacks = (vertex: number): boolean =>
    !given || (given[vertex * 3] === 0 && given[vertex * 3 + 1] === 0 && given[vertex * 3 + 2] === 0)
  /** Sides of a vertex as a chain: the newest, then for each the one before it. */
  const before: number[] = []
  const newest = new Int32Array(count).fill(-1)
  /** The vertex of each side. */
  const sides: number[] = []
  /** The normal of each side that was made, summed over its triangles. */
  const sums: number[] = []
  const corners = Uint32Array.from(indices)
  const normal = new Float64Array(3)
  for (let i = 0; i < indices.length; i += 3) {
    triangleNormal(positions, indices[i]! * 3, indices[i + 1]! * 3, indices[i + 2]! * 3, normal)
    const length = Math.sqrt(normal[0]! ** 2 + normal[1]! ** 2 + normal[2]! ** 2)
    for (let corner = i; corner < i + 3; corner++) {
      const vertex = indices[corner]!
      if (!lacks(vertex)) continue
      corners[corner] = count + sideOf(vertex, length)
    }
  }

  function sideOf(vertex: number, length: number): number {
    let tried = 0
    for (let side = newest[vertex]!; side !== -1; side = before[side]!) {
      const x = sums[side * 3]!
      const y = sums[side * 3 + 1]!
      const z = sums[side * 3 + 2]!
      const along = x * normal[0]! + y * normal[1]! + z * normal[2]!
      if (Math.abs(along) >= EDGE_COSINE * length * Math.sqrt(x * x + y * y + z * z) || ++tried >= MAX_SIDES) {
        // Triangles have two sides: one that faces the other way counts as well.
        const sign = along < 0 ? -1 : 1
        for (let k = 0; k < 3; k++) sums[side * 3 + k]! += sign * normal[k]!
        return side
      }
    }
    const side = sides.push(vertex) - 1
    before.push(newest[vertex]!)
    newest[vertex] = side
    sums.push(normal[0]!, normal[1]!, normal[2]!)
    return side
  }

  return split(mesh, corners, sides, sums)
}

/** The mesh with its corners renumbered: first the vertices that had a normal, then the sides that were made. */
function split(
  mesh: TriangleMesh,
  corners: Uint32Array,
  sides: readonly number[],
  sums: readonly number[],
): WithNormals {
  const count = mesh.positions.length / 3
  if (sides.length === 0 && mesh.normals) return { ...mesh, normals: mesh.normals }
  const kept = new Int32Array(count).fill(-1)
  /** Where each vertex of the result comes from. */
  const from: number[] = []
  const normals: number[] = []
  for (const vertex of corners) {
    if (vertex >= count || kept[vertex] !== -1) continue
    kept[vertex] = from.push(vertex) - 1
    normals.push(mesh.normals![vertex * 3]!, mesh.normals![vertex * 3 + 1]!, mesh.normals![vertex * 3 + 2]!)
  }
  const first = from.length
  sides.forEach((vertex, side) => {
    from.push(vertex)
    const [x, y, z] = [sums[side * 3]!, sums[side * 3 + 1]!, sums[side * 3 + 2]!]
    const length = Math.sqrt(x * x + y * y + z * z) || 1
    normals.push(x / length, y / length, z / length)
  })
  return {
    ...mesh,
    positions: gathered(mesh.positions, from, 3, Float32Array),
    normals: Float32Array.from(normals),
    indices: corners.map((vertex) => (vertex < count ? kept[vertex]! : vertex - count + first)),
    ...(mesh.uvs && { uvs: gathered(mesh.uvs, from, 2, Float32Array) }),
    ...(mesh.colors && { colors: gathered(mesh.colors, from, 3, Uint8Array) }),
    ...(mesh.light && { light: gathered(mesh.light, from, 3, Float32Array) }),
  }
}

function gathered<Values extends Float32Array | Uint8Array>(
  values: Values,
  from: readonly number[],
  width: number,
  array: new (length: number) => Values,
): Values {
  const to = new array(from.length * width)
  from.forEach((vertex, at) => {
    for (let k = 0; k < width; k++) to[at * width + k] = values[vertex * width + k]!
  })
  return to
}
