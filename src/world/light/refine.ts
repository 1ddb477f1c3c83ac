/** Cuts long edges in half until none is longer than asked for, so that light baked at vertices has a place to be. */
import type { TriangleMesh } from '../mesh.ts'

type Refinable = Required<Pick<TriangleMesh, 'positions' | 'normals' | 'uvs' | 'indices' | 'triangleMaterials'>>

/** An edge is cut by its own length alone, so that neighbours agree and no cracks open. */
export function refine<M extends Refinable>(mesh: M, longest: number): M {
  const positions = Array.from(mesh.positions)
  const normals = Array.from(mesh.normals)
  const uvs = Array.from(mesh.uvs)
  let indices = Array.from(mesh.indices)
  let materials = Array.from(mesh.triangleMaterials)
  const limit = longest * longest
  const isLong = (a: number, b: number): boolean => {
    const dx = positions[a * 3]! - positions[b * 3]!
    const dy = positions[a * 3 + 1]! - positions[b * 3 + 1]!
    const dz = positions[a * 3 + 2]! - positions[b * 3 + 2]!
    return dx * dx + dy * dy + dz * dz > limit
  }
  for (let cut = true; cut;) {
    cut = false
    const middles = new Map<number, number>()
    const next: number[] = []
    const nextMaterials: number[] = []
    const middle = (a: number, b: number): number => {
      const key = a < b ? a * 67108864 + b : b * 67108864 + a
      let m = middles.get(key)
      if (m === undefined) {
        m = positions.length / 3
        middles.set(key, m)
        for (let k = 0; k < 3; k++) positions.push(Math.fround((positions[a * 3 + k]! + positions[b * 3 + k]!) / 2))
        const n = [0, 1, 2].map((k) => normals[a * 3 + k]! + normals[b * 3 + k]!)
        const length = Math.sqrt(n[0]! * n[0]! + n[1]! * n[1]! + n[2]! * n[2]!) || 1
        normals.push(n[0]! / length, n[1]! / length, n[2]! / length)
        uvs.push((uvs[a * 2]! + uvs[b * 2]!) / 2, (uvs[a * 2 + 1]! + uvs[b * 2 + 1]!) / 2)
      }
      return m
    }
    for (let t = 0; t < materials.length; t++) {
      const material = materials[t]!
      const emit = (a: number, b: number, c: number): void => {
        next.push(a, b, c)
        nextMaterials.push(material)
      }
      let a = indices[t * 3]!
      let b = indices[t * 3 + 1]!
      let c = indices[t * 3 + 2]!
      let ab = isLong(a, b)
      let bc = isLong(b, c)
      let ca = isLong(c, a)
      const long = Number(ab) + Number(bc) + Number(ca)
      if (long === 0) {
        emit(a, b, c)
        continue
      }
      cut = true
      if (long === 3) {
        const [p, q, r] = [middle(a, b), middle(b, c), middle(c, a)]
        emit(a, p, r)
        emit(p, b, q)
        emit(r, q, c)
        emit(p, q, r)
        continue
      }
      // Turn the triangle until ab is cut and, of two, bc is the other.
      for (let turns = 0; turns < 3 && !(ab && (long === 1 || bc)); turns++) {
        ;[a, b, c] = [b, c, a]
        ;[ab, bc, ca] = [bc, ca, ab]
      }
      const p = middle(a, b)
      if (long === 1) {
        emit(a, p, c)
        emit(p, b, c)
      } else {
        const q = middle(b, c)
        emit(p, b, q)
        emit(a, p, q)
        emit(a, q, c)
      }
    }
    indices = next
    materials = nextMaterials
  }
  return {
    ...mesh,
    positions: new Float32Array(positions),
    normals: new Float32Array(normals),
    uvs: new Float32Array(uvs),
    indices: new Uint32Array(indices),
    triangleMaterials: new Uint16Array(materials),
  }
}
