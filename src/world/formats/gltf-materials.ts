import type { Material, Texture } from '../mesh.ts'
import type { SiblingFiles } from './sibling-files.ts'
import { fileName, type GltfDocument, readUri, viewBytes } from './gltf-document.ts'
import type { GltfMaterial, GltfTextureInfo } from './gltf-schema.ts'
import { nearestSrgb } from '../render/srgb.ts'
import type { Shading } from './shade.ts'

/** A material, how much its surface is shaded, and which texture coordinates it uses and how. */
export interface PlacedMaterial {
  material: Material
  shading: Shading
  texCoord: number
  /** Moves, turns and scales texture coordinates in place, as KHR_texture_transform asks. */
  placeUvs(uvs: Float32Array): void
}

/** All materials of the document, and a plain one at the end for primitives that name none. */
export async function readMaterials(document: GltfDocument, beside: SiblingFiles): Promise<PlacedMaterial[]> {
  const textures = new Map<string, Promise<Texture | undefined>>()
  /** A picture as a material shows it; decoded once for all that show it alike. */
  const textureOf = (info: GltfTextureInfo, source: GltfMaterial): Promise<Texture | undefined> => {
    const cutoff = source.alphaMode === 'MASK' ? source.alphaCutoff : 0
    const key = `${info.index} ${source.alphaMode} ${cutoff}`
    let texture = textures.get(key)
    if (!texture) {
      texture = readTexture(document, info.index, beside).then(
        (read) => read && { ...read, rgba: alphaAs(source.alphaMode, cutoff, read.rgba) },
      )
      textures.set(key, texture)
    }
    return texture
  }
  const read = await Promise.all(document.gltf.materials.map((material, at) => readMaterial(material, at, textureOf)))
  return [
    ...read,
    { material: { name: 'default', color: [255, 255, 255] }, shading: 'full', texCoord: 0, placeUvs: () => {} },
  ]
}

async function readMaterial(
  source: GltfMaterial,
  at: number,
  textureOf: (info: GltfTextureInfo, source: GltfMaterial) => Promise<Texture | undefined>,
): Promise<PlacedMaterial> {
  const pbr = source.pbrMetallicRoughness
  const gloss = source.extensions?.KHR_materials_pbrSpecularGlossiness
  const unlit = source.extensions?.KHR_materials_unlit !== undefined
  const factor = gloss?.diffuseFactor ?? pbr?.baseColorFactor ?? [1, 1, 1, 1]
  const base = gloss ? gloss.diffuseTexture : pbr?.baseColorTexture
  const glow = Math.max(...source.emissiveFactor)
  // A screen or a lamp: black but for the light it gives off. Elsewhere light of its own would only wash colors out.
  const shines = !unlit && glow > 0 && !base && Math.max(factor[0]!, factor[1]!, factor[2]!) < 0.05
  const info = shines ? source.emissiveTexture : base
  const tint = shines ? source.emissiveFactor : factor
  const texture = info ? await textureOf(info, source) : undefined
  const transform = info?.extensions?.KHR_texture_transform
  const byte = (k: 0 | 1 | 2) => nearestSrgb(tint[k]!)
  return {
    material: {
      name: source.name ?? `material ${at}`,
      color: [byte(0), byte(1), byte(2)],
      ...(texture && { texture }),
      ...(pbr && { roughness: pbr.roughnessFactor, metallic: pbr.metallicFactor }),
      ...(glow > 0 && { glow: Math.min(1, glow) }),
      ...(source.alphaMode === 'BLEND' && { opacity: Math.min(1, Math.max(0, factor[3]!)) }),
    },
    shading: unlit || shines ? 'none' : texture ? 'soft' : 'full',
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

/** Alpha as the material takes it: not at all, all or nothing, or as it is. */
function alphaAs(mode: GltfMaterial['alphaMode'], cutoff: number, rgba: Uint8Array): Uint8Array {
  if (mode === 'BLEND') return rgba
  let changed: Uint8Array | undefined
  for (let i = 3; i < rgba.length; i += 4) {
    const alpha = mode === 'OPAQUE' || rgba[i]! >= cutoff * 255 ? 255 : 0
    if (alpha === rgba[i]!) continue
    changed ??= Uint8Array.from(rgba)
    changed[i] = alpha
  }
  return changed ?? rgba
}

async function readTexture(document: GltfDocument, at: number, beside: SiblingFiles): Promise<Texture | undefined> {
  const { gltf } = document
  const texture = gltf.textures[at]
  const { KHR_texture_basisu, EXT_texture_webp, EXT_texture_avif } = texture?.extensions ?? {}
  const source = (KHR_texture_basisu ?? EXT_texture_webp ?? EXT_texture_avif)?.source ?? texture?.source
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
  if (image.bufferView === undefined) {
    beside.notes.push(`texture "${name}" has no bytes`)
    return undefined
  }
  return beside.decode(viewBytes(document, image.bufferView), name)
}
