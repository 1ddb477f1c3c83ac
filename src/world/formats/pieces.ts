/** Triangles as a file holds them, piece by piece, as one mesh. */
import type { Material, TriangleMesh } from '../mesh.ts'
import { brokenFile } from './broken.ts'

export interface Piece {
  positions: Float32Array
  indices: Uint32Array
  normals: Float32Array | undefined
  uvs: Float32Array | undefined
  colors: Uint8Array | undefined
  /** Its place in the materials. */
  material: number
  instance: number
}

/** Materials and instances are kept as 16-bit numbers. */
const NUMBER_LIMIT = 65_536

/** One mesh of all pieces. What only some of them have is filled in for the others: normals of length 0, white. */
export function joinPieces(pieces: readonly Piece[], materials: readonly Material[], file: string): TriangleMesh {
  if (materials.length > NUMBER_LIMIT) throw brokenFile(file, `it has more than ${NUMBER_LIMIT} materials`)
  const vertices = pieces.reduce((sum, { positions }) => sum + positions.length / 3, 0)
  const corners = pieces.reduce((sum, { indices }) => sum + indices.length, 0)
  const positions = new Float32Array(vertices * 3)
  const indices = new Uint32Array(corners)
  const normals = pieces.some((piece) => piece.normals) ? new Float32Array(vertices * 3) : undefined
  const uvs = pieces.some((piece) => piece.uvs) ? new Float32Array(vertices * 2) : undefined
  const colors = pieces.some((piece) => piece.colors) ? new Uint8Array(vertices * 3).fill(255) : undefined
  const triangleMaterials = new Uint16Array(corners / 3)
  const triangleInstances = new Uint16Array(corners / 3)
  let vertex = 0
  let at = 0
  for (const piece of pieces) {
    positions.set(piece.positions, vertex * 3)
    if (piece.normals) normals?.set(piece.normals, vertex * 3)
    if (piece.uvs) uvs?.set(piece.uvs, vertex * 2)
    if (piece.colors) colors?.set(piece.colors, vertex * 3)
    triangleMaterials.fill(piece.material, at / 3, (at + piece.indices.length) / 3)
    triangleInstances.fill(piece.instance, at / 3, (at + piece.indices.length) / 3)
    for (let i = 0; i < piece.indices.length; i++) indices[at++] = piece.indices[i]! + vertex
    vertex += piece.positions.length / 3
  }
  checkFinite(positions, file)
  return {
    positions,
    indices,
    ...(normals && { normals }),
    ...(uvs && { uvs }),
    ...(colors && { colors }),
    triangleMaterials,
    triangleInstances,
    materials,
  }
}

/** Throws at the first coordinate that is not a finite number. */
export function checkFinite(positions: Float32Array, file: string): void {
  // A difference of equal finite values is 0; NaN and infinity give NaN, which no sum gets rid of.
  let sum = 0
  for (let i = 0; i < positions.length; i++) sum += positions[i]! - positions[i]!
  if (sum === 0) return
  const at = positions.findIndex((value) => !Number.isFinite(value))
  throw brokenFile(
    file,
    `vertex ${Math.floor(at / 3)} has ${'xyz'[at % 3]} = ${positions[at]}`,
    'Every vertex needs finite coordinates; remove the broken ones in a mesh editor.',
  )
}
