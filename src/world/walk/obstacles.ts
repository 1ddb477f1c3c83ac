import { clipToSlab } from '../geometry/slab.ts'
import type { TriangleMesh } from '../mesh.ts'
import { FloorIndex } from './floor-index.ts'
import type { Edges } from './sweep.ts'

/** What stands in the way of an upright body, cut out of the mesh where it is needed. */
export class Obstacles {
  readonly #mesh: Pick<TriangleMesh, 'positions' | 'indices' | 'triangleInstances'>
  readonly #triangles: FloorIndex
  readonly #edges: Edges = { ends: new Float64Array(4 * 1024), owners: new Uint16Array(1024), count: 0 }
  readonly #outline = new Float64Array(16)

  constructor(mesh: Pick<TriangleMesh, 'positions' | 'indices' | 'triangleInstances'>) {
    this.#mesh = mesh
    this.#triangles = new FloorIndex(mesh)
  }

  /** Edges of all that lies between two heights in a rectangle. Valid until the next call. */
  edges(x0: number, y0: number, x1: number, y1: number, low: number, high: number): Edges {
    const edges = this.#edges
    edges.count = 0
    if (high < low) return edges
    const { positions, indices, triangleInstances } = this.#mesh
    this.#triangles.visitBox([x0, y0, low], [x1, y1, high], (triangle) => {
      const corners = clipToSlab(positions, indices, triangle, low, high, this.#outline)
      const owner = triangleInstances?.[triangle] ?? 0
      for (let k = 0; k < corners; k++) this.#add(k, (k + 1) % corners, owner)
    })
    return edges
  }

  /** Whether something level or slanted between the heights lies over or under a point: a table top, a bed. */
  covers(x: number, y: number, low: number, high: number): boolean {
    let covered = false
    const { positions, indices } = this.#mesh
    this.#triangles.visitBox([x, y, low], [x, y, high], (triangle) => {
      const corners = clipToSlab(positions, indices, triangle, low, high, this.#outline)
      covered ||= corners >= 3 && insideConvex(this.#outline, corners, x, y)
    })
    return covered
  }

  #add(from: number, to: number, owner: number): void {
    const edges = this.#edges
    if (edges.count === edges.owners.length) {
      const ends = new Float64Array(edges.ends.length * 2)
      ends.set(edges.ends)
      const owners = new Uint16Array(edges.owners.length * 2)
      owners.set(edges.owners)
      edges.ends = ends
      edges.owners = owners
    }
    const at = edges.count * 4
    edges.ends[at] = this.#outline[from * 2]!
    edges.ends[at + 1] = this.#outline[from * 2 + 1]!
    edges.ends[at + 2] = this.#outline[to * 2]!
    edges.ends[at + 3] = this.#outline[to * 2 + 1]!
    edges.owners[edges.count++] = owner
  }
}

/** Strictly inside; an outline seen edge-on has no inside. */
function insideConvex(outline: Float64Array, corners: number, x: number, y: number): boolean {
  let sign = 0
  for (let k = 0; k < corners; k++) {
    const next = (k + 1) % corners
    const ax = outline[k * 2]!
    const ay = outline[k * 2 + 1]!
    const side = (outline[next * 2]! - ax) * (y - ay) - (outline[next * 2 + 1]! - ay) * (x - ax)
    if (Math.abs(side) < 1e-12) continue
    if (sign !== 0 && Math.sign(side) !== sign) return false
    sign = Math.sign(side)
  }
  return sign !== 0
}
