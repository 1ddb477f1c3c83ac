/** A mesh in the making: vertices under a stack of placements, the materials they use, and the boxes that stand for them. */
import type { Finish } from '../materials/finishes.ts'
import type { Material, TriangleMesh } from '../mesh.ts'
import { compose } from '../frames.ts'
import { cross, type Vec3 } from '../vector.ts'
import { direction, placement, type Turn } from './vectors.ts'

/** An object's triangles: everything but light, which depends on where it stands. */
export type ObjectMesh = TriangleMesh & Required<Pick<TriangleMesh, 'normals' | 'uvs' | 'triangleMaterials'>>

/** A box that stands for a part when light is cast: its frame (rows of a 3 × 4 matrix) and half sizes. */
export interface Occluder {
  frame: readonly number[]
  half: Vec3
  /** Walls and floors: a ray that starts on its face and goes in is stopped. */
  solid?: boolean
}

const IDENTITY: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]
/** Parts smaller than this cast no baked shadow. */
const SMALLEST_OCCLUDER = 0.06

/** What bodies are put together from. The bodies themselves are in the files next to this one, by how they are made. */
export class MeshBuilder {
  readonly positions: number[] = []
  readonly normals: number[] = []
  readonly uvs: number[] = []
  readonly indices: number[] = []
  readonly triangleMaterials: number[] = []
  readonly materials: Material[] = []
  readonly occluders: Occluder[] = []
  /** Category → how many of them are part of this mesh. */
  readonly contents: Record<string, number> = {}
  #frame: readonly number[] = IDENTITY
  #parts = 0

  /** Draws with the origin moved, then turned. */
  at(origin: Vec3, draw: () => void, turn: Turn = {}): this {
    const before = this.#frame
    this.#frame = compose(before, placement(origin, turn))
    draw()
    this.#frame = before
    return this
  }

  /** The triangles, with the base of their box at the origin. */
  mesh(offset: Vec3): ObjectMesh {
    const positions = new Float32Array(this.positions.length)
    for (let i = 0; i < positions.length; i += 3) {
      positions[i] = this.positions[i]! + offset[0]
      positions[i + 1] = this.positions[i + 1]! + offset[1]
      positions[i + 2] = this.positions[i + 2]! + offset[2]
    }
    return {
      positions,
      normals: new Float32Array(this.normals),
      uvs: new Float32Array(this.uvs),
      indices: new Uint32Array(this.indices),
      triangleMaterials: new Uint16Array(this.triangleMaterials),
      materials: this.materials,
    }
  }

  /** Declares that the bodies just drawn are things which a person would name and count. */
  holds(category: string, count = 1): this {
    this.contents[category] = (this.contents[category] ?? 0) + count
    return this
  }

  /** Vertices so far: the number of the next one. */
  count(): number {
    return this.positions.length / 3
  }

  /** Where the next part's texture starts, so that two boards never show the same grain. */
  shift(): number {
    this.#parts = (this.#parts * 5 + 3) % 64
    return this.#parts / 64
  }

  /** The material's number; things that share a finish share it. */
  material(finish: Finish): number {
    const at = this.materials.indexOf(finish.material)
    return at >= 0 ? at : this.materials.push(finish.material) - 1
  }

  /** In the frame that is in force. */
  vertex(x: number, y: number, z: number, nx: number, ny: number, nz: number, u: number, v: number): void {
    const m = this.#frame
    this.positions.push(
      m[0]! * x + m[1]! * y + m[2]! * z + m[3]!,
      m[4]! * x + m[5]! * y + m[6]! * z + m[7]!,
      m[8]! * x + m[9]! * y + m[10]! * z + m[11]!,
    )
    this.normals.push(
      m[0]! * nx + m[1]! * ny + m[2]! * nz,
      m[4]! * nx + m[5]! * ny + m[6]! * nz,
      m[8]! * nx + m[9]! * ny + m[10]! * nz,
    )
    this.uvs.push(u, v)
  }

  triangle(a: number, b: number, c: number, material: number): void {
    this.indices.push(a, b, c)
    this.triangleMaterials.push(material)
  }

  /** Triangles between rows of vertices, the first of which is `first`. */
  grid(first: number, columns: number, rows: number, material: number, flip: boolean): void {
    const from = this.indices.length
    gridIndices(this.indices, first, columns, rows, flip)
    for (let i = from; i < this.indices.length; i += 3) this.triangleMaterials.push(material)
  }

  /** Closes a ring of vertices with a flat disc. */
  cap(ring: number, sides: number, end: Vec3, inner: Vec3, material: number): void {
    const n = direction([end[0] - inner[0], end[1] - inner[1], end[2] - inner[2]])
    const center = this.count()
    this.vertex(end[0], end[1], end[2], n[0], n[1], n[2], 0, 0)
    for (let k = 0; k <= sides; k++) {
      const at = (ring + k) * 3
      this.positions.push(this.positions[at]!, this.positions[at + 1]!, this.positions[at + 2]!)
      this.normals.push(...this.normals.slice(center * 3, center * 3 + 3))
      this.uvs.push(0, 0)
    }
    for (let k = 0; k < sides; k++) this.triangle(center, center + 1 + k, center + 2 + k, material)
  }

  /** Adds a grid body whose normals are the mean of the faces around each place. */
  smooth(finish: Finish, points: readonly number[], uvs: readonly number[], indices: readonly number[]): void {
    const material = this.material(finish)
    const places = new Map<string, number>()
    const of: number[] = []
    const sums: number[] = []
    for (let i = 0; i < points.length; i += 3) {
      const key = `${Math.round(points[i]! * 1e5)} ${Math.round(points[i + 1]! * 1e5)} ${Math.round(points[i + 2]! * 1e5)}`
      let place = places.get(key)
      if (place === undefined) {
        place = sums.length
        places.set(key, place)
        sums.push(0, 0, 0)
      }
      of.push(place)
    }
    for (let t = 0; t < indices.length; t += 3) {
      const [a, b, c] = [indices[t]! * 3, indices[t + 1]! * 3, indices[t + 2]! * 3]
      const n = cross(
        [points[b]! - points[a]!, points[b + 1]! - points[a + 1]!, points[b + 2]! - points[a + 2]!],
        [points[c]! - points[a]!, points[c + 1]! - points[a + 1]!, points[c + 2]! - points[a + 2]!],
      )
      for (let k = 0; k < 3; k++) {
        const place = of[indices[t + k]!]!
        for (let j = 0; j < 3; j++) sums[place + j] = sums[place + j]! + n[j]!
      }
    }
    const first = this.count()
    for (let i = 0; i < of.length; i++) {
      const at = of[i]!
      const n = direction([sums[at]!, sums[at + 1]!, sums[at + 2]!])
      this.vertex(
        points[i * 3]!,
        points[i * 3 + 1]!,
        points[i * 3 + 2]!,
        n[0],
        n[1],
        n[2],
        uvs[i * 2]!,
        uvs[i * 2 + 1]!,
      )
    }
    for (let t = 0; t < indices.length; t += 3)
      this.triangle(first + indices[t]!, first + indices[t + 1]!, first + indices[t + 2]!, material)
  }

  /** A box in the frame that is in force casts the part's shadow. */
  occlude(center: Vec3, half: Vec3): void {
    if (Math.max(half[0], half[1], half[2]) * 2 < SMALLEST_OCCLUDER) return
    this.occluders.push({ frame: compose(this.#frame, placement(center, {})), half })
  }

  /** A chain of boxes along a path does. */
  occludePath(path: readonly Vec3[], radius: number): void {
    const step = Math.max(1, Math.ceil((path.length - 1) / 10))
    for (let from = 0; from + 1 < path.length; from += step) {
      const low = [Infinity, Infinity, Infinity]
      const high = [-Infinity, -Infinity, -Infinity]
      for (let i = from; i <= Math.min(path.length - 1, from + step); i++) {
        for (let k = 0; k < 3; k++) {
          low[k] = Math.min(low[k]!, path[i]![k]! - radius * 0.8)
          high[k] = Math.max(high[k]!, path[i]![k]! + radius * 0.8)
        }
      }
      this.occlude(
        [(low[0]! + high[0]!) / 2, (low[1]! + high[1]!) / 2, (low[2]! + high[2]!) / 2],
        [(high[0]! - low[0]!) / 2, (high[1]! - low[1]!) / 2, (high[2]! - low[2]!) / 2],
      )
    }
  }
}

/** Two triangles for each cell of a grid of vertices. */
export function gridIndices(indices: number[], first: number, columns: number, rows: number, flip: boolean): void {
  for (let j = 0; j + 1 < rows; j++) {
    for (let i = 0; i + 1 < columns; i++) {
      const a = first + j * columns + i
      const b = a + 1
      const c = a + columns
      const d = c + 1
      if (flip) indices.push(a, c, b, b, c, d)
      else indices.push(a, b, c, b, d, c)
    }
  }
}
