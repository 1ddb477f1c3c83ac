import { brokenFile } from './broken.ts'
import { readAccessor } from './gltf-accessor.ts'
import type { GltfDocument } from './gltf-document.ts'
import type { PlacedMaterial } from './gltf-materials.ts'
import { type Matrix, transformDirection, transformPoint } from './gltf-nodes.ts'
import type { GltfPrimitive } from './gltf-schema.ts'
import { nearestSrgb } from '../render/srgb.ts'

const MODE_TRIANGLES = 4
const MODE_STRIP = 5
const MODE_FAN = 6

/** Triangles of one material. */
export interface Chunk {
  positions: Float32Array
  indices: Uint32Array
  normals: Float32Array | undefined
  uvs: Float32Array | undefined
  colors: Uint8Array | undefined
  material: number
}

/** The triangles of a primitive in the document's axes; undefined for points and lines. */
export function readPrimitive(
  document: GltfDocument,
  primitive: GltfPrimitive,
  matrix: Matrix,
  materials: readonly PlacedMaterial[],
  file: string,
): Chunk | undefined {
  const { attributes, mode } = primitive
  if (mode !== MODE_TRIANGLES && mode !== MODE_STRIP && mode !== MODE_FAN) return undefined
  if (attributes['POSITION'] === undefined) return undefined
  const place = readAccessor(document, attributes['POSITION'], file)
  if (place.width !== 3) throw brokenFile(file, 'POSITION must have three components')
  const { count } = place
  const positions = new Float32Array(count * 3)
  for (let i = 0; i < count; i++) transformPoint(matrix, place.values, i * 3, positions)
  const bad = positions.findIndex((value) => !Number.isFinite(value))
  if (bad !== -1)
    throw brokenFile(file, `vertex ${Math.floor(bad / 3)} of a mesh has ${'xyz'[bad % 3]} = ${positions[bad]}`)

  const order = primitive.indices === undefined ? undefined : readAccessor(document, primitive.indices, file).values
  const length = order?.length ?? count
  const outside = order?.find((index) => !(index < count))
  if (outside !== undefined)
    throw brokenFile(file, `a triangle names vertex ${outside}, but there are ${count} vertices`)
  const corner = (at: number) => (order ? order[at]! : at)
  const indices = triangles(mode, length, corner)

  const read = (name: string, widths: readonly number[]) => {
    const at = attributes[name]
    if (at === undefined) return undefined
    const accessor = readAccessor(document, at, file)
    return accessor.count === count && widths.includes(accessor.width) ? accessor : undefined
  }
  const normal = read('NORMAL', [3])
  const normals = normal && new Float32Array(count * 3)
  if (normal && normals) for (let i = 0; i < count; i++) transformDirection(matrix, normal.values, i * 3, normals)
  const material = primitive.material ?? materials.length - 1
  const texture = materials[material]
  if (!texture) throw brokenFile(file, `material ${material} is named but not there`)
  const uv = read(`TEXCOORD_${texture.texCoord}`, [2])
  const uvs = uv && Float32Array.from(uv.values)
  if (uvs) texture.placeUvs(uvs)
  const shade = read('COLOR_0', [3, 4])
  const colors = shade && new Uint8Array(count * 3)
  if (shade && colors) {
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) colors[i * 3 + k] = nearestSrgb(shade.values[i * shade.width + k]!)
    }
  }
  return { positions, indices, normals, uvs, colors, material }
}

function triangles(mode: number, length: number, corner: (at: number) => number): Uint32Array {
  if (mode === MODE_TRIANGLES) return Uint32Array.from({ length: length - (length % 3) }, (_, at) => corner(at))
  const indices = new Uint32Array(Math.max(0, length - 2) * 3)
  for (let i = 2; i < length; i++) {
    indices[(i - 2) * 3] = corner(mode === MODE_FAN ? 0 : i - 2)
    indices[(i - 2) * 3 + 1] = corner(i - 1)
    indices[(i - 2) * 3 + 2] = corner(i)
  }
  return indices
}
