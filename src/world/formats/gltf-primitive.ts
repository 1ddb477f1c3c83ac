import { brokenFile } from './broken.ts'
import { readAccessor, readIndices, type Values } from './gltf-accessor.ts'
import type { GltfDocument } from './gltf-document.ts'
import type { PlacedMaterial } from './gltf-materials.ts'
import type { GltfPrimitive } from './gltf-schema.ts'
import { nearestSrgb } from '../render/srgb.ts'
import type { SkinWeights } from './matrix.ts'

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
  skin: SkinWeights | undefined
  material: number
}

/** The triangles of a primitive in the mesh's own axes, with its morph targets applied; undefined for points and lines. */
export function readPrimitive(
  document: GltfDocument,
  primitive: GltfPrimitive,
  weights: readonly number[],
  materials: readonly PlacedMaterial[],
): Chunk | undefined {
  const { attributes, mode } = primitive
  const { file } = document
  if (mode !== MODE_TRIANGLES && mode !== MODE_STRIP && mode !== MODE_FAN) return undefined
  const unpacked = document.unpackedPrimitives.get(primitive)
  const read = (name: string): Values | undefined => {
    const decoded = unpacked?.attributes.get(name)
    if (decoded) return { ...decoded, count: unpacked!.vertices }
    const at = attributes[name]
    return at === undefined ? undefined : readAccessor(document, at)
  }
  const place = read('POSITION')
  if (!place) return undefined
  if (place.width !== 3) throw brokenFile(file, 'POSITION must have three components')
  const { count } = place
  const matching = (name: string, ...widths: number[]) => {
    const values = read(name)
    return values?.count === count && widths.includes(values.width) ? values : undefined
  }
  const positions = morphed(document, primitive, 'POSITION', weights, place.values)
  const normal = matching('NORMAL', 3)
  const normals = normal && morphed(document, primitive, 'NORMAL', weights, normal.values)

  const order =
    unpacked?.indices ?? (primitive.indices === undefined ? undefined : readIndices(document, primitive.indices))
  if (order) checkIndices(order, count, file)
  const indices = triangles(mode, order?.length ?? count, order)

  const material = primitive.material ?? materials.length - 1
  const texture = materials[material]
  if (!texture) throw brokenFile(file, `material ${material} is named but not there`)
  const uvs = matching(`TEXCOORD_${texture.texCoord}`, 2)?.values
  if (uvs) texture.placeUvs(uvs)
  const shade = matching('COLOR_0', 3, 4)
  return {
    positions,
    indices,
    normals,
    uvs,
    colors: shade && colorBytes(shade),
    skin: skinOf(matching),
    material,
  }
}

/** The values with the morph targets of the mesh added at their weights. */
function morphed(
  document: GltfDocument,
  { targets }: GltfPrimitive,
  name: string,
  weights: readonly number[],
  base: Float32Array,
): Float32Array {
  let values = base
  targets.forEach((target, t) => {
    const weight = weights[t] ?? 0
    const at = target[name]
    if (weight === 0 || !Number.isFinite(weight) || at === undefined) return
    const { values: offsets } = readAccessor(document, at)
    if (offsets.length !== base.length) return
    if (values === base) values = Float32Array.from(base)
    for (let i = 0; i < values.length; i++) values[i] = values[i]! + weight * offsets[i]!
  })
  return values
}

function skinOf(matching: (name: string, ...widths: number[]) => Values | undefined): SkinWeights | undefined {
  const sets = [0, 1].flatMap((set) => {
    const joints = matching(`JOINTS_${set}`, 4)
    const weights = matching(`WEIGHTS_${set}`, 4)
    return joints && weights ? [{ joints: joints.values, weights: weights.values }] : []
  })
  const [first, second] = sets
  if (!first || !second) return first && { ...first, width: 4 }
  const width = 8
  const both = (a: Float32Array, b: Float32Array) =>
    Float32Array.from({ length: a.length * 2 }, (_, i) => {
      const at = Math.floor(i / width) * 4 + (i % 4)
      return i % width < 4 ? a[at]! : b[at]!
    })
  return { joints: both(first.joints, second.joints), weights: both(first.weights, second.weights), width }
}

function colorBytes({ values, width, count }: Values): Uint8Array {
  const colors = new Uint8Array(count * 3)
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) colors[i * 3 + k] = nearestSrgb(values[i * width + k]!)
  }
  return colors
}

function checkIndices(order: Uint32Array, count: number, file: string): void {
  let largest = 0
  for (let i = 0; i < order.length; i++) if (order[i]! > largest) largest = order[i]!
  if (largest >= count && order.length > 0)
    throw brokenFile(file, `a triangle names vertex ${largest}, but there are ${count} vertices`)
}

function triangles(mode: number, length: number, order: Uint32Array | undefined): Uint32Array {
  if (mode === MODE_TRIANGLES && order) return order.length % 3 === 0 ? order : order.slice(0, length - (length % 3))
  if (mode === MODE_TRIANGLES) return Uint32Array.from({ length: length - (length % 3) }, (_, at) => at)
  const corner = (at: number) => (order ? order[at]! : at)
  const indices = new Uint32Array(Math.max(0, length - 2) * 3)
  for (let i = 2; i < length; i++) {
    indices[(i - 2) * 3] = corner(mode === MODE_FAN ? 0 : i - 2)
    indices[(i - 2) * 3 + 1] = corner(i - 1)
    indices[(i - 2) * 3 + 2] = corner(i)
  }
  return indices
}
