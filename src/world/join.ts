/** Several meshes as one. */
import type { Material, TriangleMesh } from './mesh.ts'

type Joinable = TriangleMesh & Required<Pick<TriangleMesh, 'normals' | 'uvs' | 'triangleMaterials'>>

export interface PlacedMesh<Mesh extends Joinable = Joinable> {
  mesh: Mesh
  /** What its triangles belong to. */
  instance: number
  /** Three rows of four numbers: a turn, a scale that is the same along all axes, a move. Null leaves it where it is. */
  frame: readonly number[] | null
}

export type JoinedMesh = Joinable & { triangleInstances: Uint16Array }

/** Lays meshes end to end, each where its frame puts it. Equal materials become one. */
export function joinMeshes(parts: readonly PlacedMesh[]): JoinedMesh {
  let vertices = 0
  let triangles = 0
  for (const { mesh } of parts) {
    vertices += mesh.positions.length / 3
    triangles += mesh.indices.length / 3
  }
  const all = {
    positions: new Float32Array(vertices * 3),
    normals: new Float32Array(vertices * 3),
    uvs: new Float32Array(vertices * 2),
    indices: new Uint32Array(triangles * 3),
    triangleMaterials: new Uint16Array(triangles),
    triangleInstances: new Uint16Array(triangles),
  }
  const materials = new Map<Material, number>()
  let vertex = 0
  let triangle = 0
  for (const { mesh, instance, frame } of parts) {
    placePoints(mesh.positions, frame, all.positions, vertex * 3)
    turnNormals(mesh.normals, frame, all.normals, vertex * 3)
    all.uvs.set(mesh.uvs, vertex * 2)
    for (let i = 0; i < mesh.indices.length; i++) all.indices[triangle * 3 + i] = mesh.indices[i]! + vertex
    const own = mesh.materials.map((material) => {
      const number = materials.get(material) ?? materials.size
      materials.set(material, number)
      return number
    })
    const count = mesh.triangleMaterials.length
    for (let t = 0; t < count; t++) all.triangleMaterials[triangle + t] = own[mesh.triangleMaterials[t]!]!
    all.triangleInstances.fill(instance, triangle, triangle + count)
    vertex += mesh.positions.length / 3
    triangle += count
  }
  return { ...all, materials: [...materials.keys()] }
}

/** The same for meshes that were lit one by one: each takes its light along. */
export function joinLitMeshes(
  parts: readonly PlacedMesh<Joinable & { light: Float32Array }>[],
): JoinedMesh & { light: Float32Array } {
  const joined = joinMeshes(parts)
  const light = new Float32Array(joined.positions.length)
  let at = 0
  for (const { mesh } of parts) {
    light.set(mesh.light, at)
    at += mesh.light.length
  }
  return { ...joined, light }
}

function placePoints(from: Float32Array, m: readonly number[] | null, into: Float32Array, at: number): void {
  if (m === null) {
    into.set(from, at)
    return
  }
  const [a, b, c, dx, d, e, f, dy, g, h, k, dz] = m as Row12
  for (let i = 0; i < from.length; i += 3) {
    const x = from[i]!
    const y = from[i + 1]!
    const z = from[i + 2]!
    into[at + i] = a * x + b * y + c * z + dx
    into[at + i + 1] = d * x + e * y + f * z + dy
    into[at + i + 2] = g * x + h * y + k * z + dz
  }
}

function turnNormals(from: Float32Array, m: readonly number[] | null, into: Float32Array, at: number): void {
  if (m === null) {
    into.set(from, at)
    return
  }
  const scale = scaleOf(m)
  const [a, b, c, , d, e, f, , g, h, k] = m as Row12
  for (let i = 0; i < from.length; i += 3) {
    const x = from[i]! / scale
    const y = from[i + 1]! / scale
    const z = from[i + 2]! / scale
    into[at + i] = a * x + b * y + c * z
    into[at + i + 1] = d * x + e * y + f * z
    into[at + i + 2] = g * x + h * y + k * z
  }
}

type Row12 = [number, number, number, number, number, number, number, number, number, number, number, number]

/** Exactly 1 for a turn, whatever its sines were rounded to: the same bytes on every machine. */
function scaleOf(m: readonly number[]): number {
  const length = Math.sqrt(m[2]! * m[2]! + m[6]! * m[6]! + m[10]! * m[10]!)
  return Math.abs(length - 1) < 1e-9 ? 1 : length
}
