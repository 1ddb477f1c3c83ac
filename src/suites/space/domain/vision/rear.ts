/**
 * Marks the rear of an object with a front. Many things look the same from the left and from the right, or from the front
 * and from behind, so their rear corners have one color that nothing else has: the rear part of both sides, and a strip
 * along both edges of the back. The shape stays as it is, and so does the color of most of it.
 */
import { finish, type ObjectMesh } from '../../../../world.ts'

/** Far from the colors of wood, steel, cloth, walls and floors, and dark enough to stand out from white plastic. */
export const REAR_RGB = [0, 104, 118] as const
/** Part of the depth that is marked. What turns around swaps it with the front: four fifths of a side change. */
const REAR_SHARE = 0.4
/** Part of the width that is marked at each edge of the back. */
export const EDGE_SHARE = 0.25
/** Least cosine between a side and the direction that it is on: inner walls of a shelf are seen from the front. */
const OUTWARD = 0.3
/** Most cosine between a back and the front. Backs are rear wherever they are: that of a whiteboard is in its middle. */
const BACKWARD = -0.5

const REAR = finish('rear', REAR_RGB, { roughness: 0.7 }).material

/**
 * The mesh with its rear marked. Its front is +x; `depth` and `width` are its lengths along x and y around the origin.
 * `edgeShare` is the part of the width that is marked at each edge of the back: all of it at 0.5.
 */
export function withMarkedRear(mesh: ObjectMesh, depth: number, width: number, edgeShare = EDGE_SHARE): ObjectMesh {
  const rearmost = depth * (REAR_SHARE - 0.5)
  const edge = width * (0.5 - edgeShare)
  const cutter = new Cutter(mesh)
  const marked = mesh.materials.length
  for (let t = 0; t < mesh.triangleMaterials.length; t++) {
    const corners = Array.from(mesh.indices.subarray(t * 3, t * 3 + 3))
    const material = mesh.triangleMaterials[t]!
    const mean = (values: Float32Array, axis: number): number =>
      corners.reduce((sum, corner) => sum + values[corner * 3 + axis]!, 0) / 3
    if (mean(mesh.normals, 0) < BACKWARD) {
      const [right, rest] = cutter.cut(corners, 1, -edge)
      const [middle, left] = cutter.cut(rest, 1, edge)
      cutter.add(middle, material)
      for (const strip of [right, left]) cutter.add(strip, marked)
    } else if (mean(mesh.normals, 1) * Math.sign(mean(mesh.positions, 1)) > OUTWARD) {
      const [rear, before] = cutter.cut(corners, 0, rearmost)
      cutter.add(rear, marked)
      cutter.add(before, material)
    } else cutter.add(corners, material)
  }
  return cutter.mesh([...mesh.materials, REAR])
}

/** A mesh whose triangles are cut into polygons along planes. */
class Cutter {
  readonly #positions: number[]
  readonly #normals: number[]
  readonly #uvs: number[]
  readonly #indices: number[] = []
  readonly #materials: number[] = []

  constructor({ positions, normals, uvs }: ObjectMesh) {
    this.#positions = Array.from(positions)
    this.#normals = Array.from(normals)
    this.#uvs = Array.from(uvs)
  }

  /** The parts of a convex polygon below and above `at` along an axis. */
  cut(corners: readonly number[], axis: number, at: number): [below: number[], above: number[]] {
    const [below, above]: [number[], number[]] = [[], []]
    const isBelow = (corner: number): boolean => this.#positions[corner * 3 + axis]! < at
    for (const [i, corner] of corners.entries()) {
      const next = corners[(i + 1) % corners.length]!
      ;(isBelow(corner) ? below : above).push(corner)
      if (isBelow(corner) === isBelow(next)) continue
      const crossing = this.#between(corner, next, axis, at)
      below.push(crossing)
      above.push(crossing)
    }
    return [below, above]
  }

  add(corners: readonly number[], material: number): void {
    for (let i = 1; i + 1 < corners.length; i++) {
      this.#indices.push(corners[0]!, corners[i]!, corners[i + 1]!)
      this.#materials.push(material)
    }
  }

  mesh(materials: ObjectMesh['materials']): ObjectMesh {
    return {
      positions: new Float32Array(this.#positions),
      normals: new Float32Array(this.#normals),
      uvs: new Float32Array(this.#uvs),
      indices: new Uint32Array(this.#indices),
      triangleMaterials: new Uint16Array(this.#materials),
      materials,
    }
  }

  /** A new vertex where an edge crosses the plane. */
  #between(a: number, b: number, axis: number, at: number): number {
    const [from, to] = [this.#positions[a * 3 + axis]!, this.#positions[b * 3 + axis]!]
    const t = (at - from) / (to - from)
    for (const [values, size] of [
      [this.#positions, 3],
      [this.#normals, 3],
      [this.#uvs, 2],
    ] as const) {
      for (let k = 0; k < size; k++) {
        const start = values[a * size + k]!
        values.push(start + (values[b * size + k]! - start) * t)
      }
    }
    return this.#positions.length / 3 - 1
  }
}
