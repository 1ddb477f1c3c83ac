/** Cuts long edges in half until none is longer than asked for, so that light baked at vertices has a place to be. */
import type { TriangleMesh } from '../mesh.ts'

type Refinable = Required<Pick<TriangleMesh, 'positions' | 'normals' | 'uvs' | 'indices' | 'triangleMaterials'>>

/** An edge is cut by its own length alone, so that neighbors agree and no cracks open. */
export function refine<M extends Refinable>(mesh: M, longest: number): M {
  const work = new Refinement(mesh, longest)
  while (work.pass());
  return {
    ...mesh,
    positions: new Float32Array(work.positions),
    normals: new Float32Array(work.normals),
    uvs: new Float32Array(work.uvs),
    indices: new Uint32Array(work.indices),
    triangleMaterials: new Uint16Array(work.materials),
  }
}

/** As `Array.from`, which makes an object of every number on the way. */
function listed(numbers: ArrayLike<number>): number[] {
  const list: number[] = []
  for (let i = 0; i < numbers.length; i++) list.push(numbers[i]!)
  return list
}

/** Two vertex numbers in one: meshes have fewer than 2^26 vertices. */
const EDGE_BASE = 67108864

class Refinement {
  readonly positions: number[]
  readonly normals: number[]
  readonly uvs: number[]
  indices: number[]
  materials: number[]
  readonly #limit: number
  #middles = new Map<number, number>()

  constructor(mesh: Refinable, longest: number) {
    this.positions = listed(mesh.positions)
    this.normals = listed(mesh.normals)
    this.uvs = listed(mesh.uvs)
    this.indices = listed(mesh.indices)
    this.materials = listed(mesh.triangleMaterials)
    this.#limit = longest * longest
  }

  /** Cuts every long edge once; says whether there was one. */
  pass(): boolean {
    const { indices, materials } = this
    this.#middles = new Map()
    const next: number[] = []
    const nextMaterials: number[] = []
    let cut = false
    for (let t = 0; t < materials.length; t++) {
      let a = indices[t * 3]!
      let b = indices[t * 3 + 1]!
      let c = indices[t * 3 + 2]!
      let ab = this.#isLong(a, b)
      let bc = this.#isLong(b, c)
      let ca = this.#isLong(c, a)
      const long = Number(ab) + Number(bc) + Number(ca)
      for (let i = Math.max(1, long + 1); i > 0; i--) nextMaterials.push(materials[t]!)
      if (long === 0) {
        next.push(a, b, c)
        continue
      }
      cut = true
      // Turn the triangle until ab is cut and, of two, bc is the other.
      for (let turns = 0; turns < 3; turns++) {
        if (ab && (long !== 2 || bc)) break
        const [a0, ab0] = [a, ab]
        a = b
        b = c
        c = a0
        ab = bc
        bc = ca
        ca = ab0
      }
      const p = this.#middle(a, b)
      if (long === 1) {
        next.push(a, p, c, p, b, c)
        continue
      }
      const q = this.#middle(b, c)
      if (long === 2) {
        next.push(p, b, q, a, p, q, a, q, c)
        continue
      }
      const r = this.#middle(c, a)
      next.push(a, p, r, p, b, q, r, q, c, p, q, r)
    }
    this.indices = next
    this.materials = nextMaterials
    return cut
  }

  #isLong(a: number, b: number): boolean {
    const p = this.positions
    const dx = p[a * 3]! - p[b * 3]!
    const dy = p[a * 3 + 1]! - p[b * 3 + 1]!
    const dz = p[a * 3 + 2]! - p[b * 3 + 2]!
    return dx * dx + dy * dy + dz * dz > this.#limit
  }

  #middle(a: number, b: number): number {
    const key = a < b ? a * EDGE_BASE + b : b * EDGE_BASE + a
    const known = this.#middles.get(key)
    if (known !== undefined) return known
    const { positions, normals, uvs } = this
    const made = positions.length / 3
    this.#middles.set(key, made)
    for (let k = 0; k < 3; k++) positions.push(Math.fround((positions[a * 3 + k]! + positions[b * 3 + k]!) / 2))
    const nx = normals[a * 3]! + normals[b * 3]!
    const ny = normals[a * 3 + 1]! + normals[b * 3 + 1]!
    const nz = normals[a * 3 + 2]! + normals[b * 3 + 2]!
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1
    normals.push(nx / length, ny / length, nz / length)
    uvs.push((uvs[a * 2]! + uvs[b * 2]!) / 2, (uvs[a * 2 + 1]! + uvs[b * 2 + 1]!) / 2)
    return made
  }
}
