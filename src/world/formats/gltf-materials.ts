import type { Material } from '../mesh.ts'
import type { SiblingFiles } from './sibling-files.ts'
import { fileName, type GltfDocument, readUri } from './gltf-document.ts'
import type { GltfMaterial } from './gltf-schema.ts'
import { nearestSrgb } from '../render/srgb.ts'

/** A material, and which texture coordinates it uses and how. */
export interface PlacedMaterial {
  material: Material
  texCoord: number
  /** Moves, turns and scales texture coordinates in place, as KHR_texture_transform asks. */
  placeUvs(uvs: Float32Array): void
}

/** All materials of the document, and a plain one at the end for primitives that name none. */
export async function readMaterials(document: GltfDocument, beside: SiblingFiles): Promise<PlacedMaterial[]> {
  const read = await Promise.all(
    document.gltf.materials.map((material, at) => readMaterial(document, material, at, beside)),
  )
  return [...read, { material: { name: 'default', color: [255, 255, 255] }, texCoord: 0, placeUvs: () => {} }]
}

async function readMaterial(
  document: GltfDocument,
  source: GltfMaterial,
  at: number,
  beside: SiblingFiles,
): Promise<PlacedMaterial> {
  const pbr = source.pbrMetallicRoughness
  const factor = pbr?.baseColorFactor ?? [1, 1, 1, 1]
  const info = pbr?.baseColorTexture
  const texture = info ? await readTexture(document, info.index, beside) : undefined
  const glow = Math.max(...source.emissiveFactor)
  const transform = info?.extensions?.KHR_texture_transform
  return {
    material: {
      name: source.name ?? `material ${at}`,
      color: [nearestSrgb(factor[0]!), nearestSrgb(factor[1]!), nearestSrgb(factor[2]!)],
      ...(texture && { texture }),
      ...(pbr && { roughness: pbr.roughnessFactor, metallic: pbr.metallicFactor }),
      ...(glow > 0 && { glow: Math.min(1, glow) }),
      ...(source.alphaMode === 'BLEND' && { opacity: factor[3]! }),
    },
    texCoord: transform?.texCoord ?? info?.texCoord ?? 0,
    placeUvs: (uvs) => {
      if (!transform) return
      const [ox, oy] = transform.offset as [number, number]
      const [sx, sy] = transform.scale as [number, number]
      const cos = Math.cos(transform.rotation)
      const sin = Math.sin(transform.rotation)
      for (let i = 0; i < uvs.length; i += 2) {
        const u = uvs[i]! * sx
        const v = uvs[i + 1]! * sy
        uvs[i] = cos * u + sin * v + ox
        uvs[i + 1] = -sin * u + cos * v + oy
      }
    },
  }
}

async function readTexture({ gltf, buffers }: GltfDocument, at: number, beside: SiblingFiles) {
  const texture = gltf.textures[at]
  const source = texture?.extensions?.EXT_texture_webp?.source ?? texture?.source
  const image = source === undefined ? undefined : gltf.images[source]
  if (!image) {
    beside.notes.push(`texture ${at} names no picture`)
    return undefined
  }
  const name = image.name ?? image.uri?.slice(0, 60) ?? `picture ${source}`
  if (image.uri !== undefined) {
    if (!image.uri.startsWith('data:')) return beside.texture(fileName(image.uri))
    const bytes = await readUri(image.uri, beside)
    return bytes && beside.decode(bytes, name)
  }
  const view = image.bufferView === undefined ? undefined : gltf.bufferViews[image.bufferView]
  const buffer = view && buffers[view.buffer]
  if (!view || !buffer || view.byteOffset + view.byteLength > buffer.byteLength) {
    beside.notes.push(`texture "${name}" has no bytes`)
    return undefined
  }
  return beside.decode(buffer.subarray(view.byteOffset, view.byteOffset + view.byteLength), name)
}
