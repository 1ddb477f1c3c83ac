import { z } from 'zod'

/** The parts of a glTF 2.0 document that a mesh is made of. What is not named here is passed over. */

const index = z.number().int().nonnegative()
const vector = (length: number) => z.array(z.number()).length(length)

const meshoptView = z.object({
  buffer: index,
  byteOffset: index.default(0),
  byteLength: index,
  byteStride: index,
  count: index,
  mode: z.enum(['ATTRIBUTES', 'TRIANGLES', 'INDICES']),
  filter: z.enum(['NONE', 'OCTAHEDRAL', 'QUATERNION', 'EXPONENTIAL', 'COLOR']).default('NONE'),
})

const bufferView = z.object({
  buffer: index,
  byteOffset: index.default(0),
  byteLength: index,
  byteStride: index.optional(),
  extensions: z
    .object({ EXT_meshopt_compression: meshoptView.optional(), KHR_meshopt_compression: meshoptView.optional() })
    .optional(),
})

const componentType = z.union([
  z.literal(5120),
  z.literal(5121),
  z.literal(5122),
  z.literal(5123),
  z.literal(5125),
  z.literal(5126),
])

const accessor = z.object({
  bufferView: index.optional(),
  byteOffset: index.default(0),
  componentType,
  normalized: z.boolean().default(false),
  count: index,
  type: z.enum(['SCALAR', 'VEC2', 'VEC3', 'VEC4', 'MAT2', 'MAT3', 'MAT4']),
  sparse: z
    .object({
      count: index,
      indices: z.object({ bufferView: index, byteOffset: index.default(0), componentType }),
      values: z.object({ bufferView: index, byteOffset: index.default(0) }),
    })
    .optional(),
})

const textureInfo = z.object({
  index,
  texCoord: index.default(0),
  extensions: z
    .object({
      KHR_texture_transform: z
        .object({
          offset: vector(2).default([0, 0]),
          scale: vector(2).default([1, 1]),
          rotation: z.number().default(0),
          texCoord: index.optional(),
        })
        .optional(),
    })
    .optional(),
})

const material = z.object({
  name: z.string().optional(),
  pbrMetallicRoughness: z
    .object({
      baseColorFactor: vector(4).default([1, 1, 1, 1]),
      baseColorTexture: textureInfo.optional(),
      metallicFactor: z.number().default(1),
      roughnessFactor: z.number().default(1),
    })
    .optional(),
  emissiveFactor: vector(3).default([0, 0, 0]),
  emissiveTexture: textureInfo.optional(),
  alphaMode: z.enum(['OPAQUE', 'MASK', 'BLEND']).default('OPAQUE'),
  alphaCutoff: z.number().default(0.5),
  extensions: z
    .object({
      KHR_materials_unlit: z.unknown().optional(),
      KHR_materials_pbrSpecularGlossiness: z
        .object({ diffuseFactor: vector(4).default([1, 1, 1, 1]), diffuseTexture: textureInfo.optional() })
        .optional(),
    })
    .optional(),
})

const attributes = z.record(z.string(), index)

const primitive = z.object({
  attributes,
  indices: index.optional(),
  material: index.optional(),
  mode: z.number().int().default(4),
  targets: z.array(attributes).default([]),
  extensions: z
    .object({ KHR_draco_mesh_compression: z.object({ bufferView: index, attributes }).optional() })
    .optional(),
})

const node = z.object({
  name: z.string().optional(),
  mesh: index.optional(),
  skin: index.optional(),
  weights: z.array(z.number()).optional(),
  children: z.array(index).default([]),
  matrix: vector(16).optional(),
  translation: vector(3).default([0, 0, 0]),
  rotation: vector(4).default([0, 0, 0, 1]),
  scale: vector(3).default([1, 1, 1]),
  extras: z.unknown().optional(),
  extensions: z
    .object({
      EXT_mesh_gpu_instancing: z.object({ attributes }).optional(),
      KHR_node_visibility: z.object({ visible: z.boolean().default(true) }).optional(),
    })
    .optional(),
})

const imageSource = z.object({ source: index }).optional()

export const gltfSchema = z.object({
  asset: z.object({ version: z.string() }),
  extensionsUsed: z.array(z.string()).default([]),
  extensionsRequired: z.array(z.string()).default([]),
  scene: index.default(0),
  scenes: z.array(z.object({ nodes: z.array(index).default([]) })).default([]),
  nodes: z.array(node).default([]),
  meshes: z
    .array(
      z.object({
        name: z.string().optional(),
        primitives: z.array(primitive),
        weights: z.array(z.number()).optional(),
      }),
    )
    .default([]),
  skins: z.array(z.object({ inverseBindMatrices: index.optional(), joints: z.array(index) })).default([]),
  accessors: z.array(accessor).default([]),
  bufferViews: z.array(bufferView).default([]),
  buffers: z.array(z.object({ uri: z.string().optional(), byteLength: index })).default([]),
  materials: z.array(material).default([]),
  textures: z
    .array(
      z.object({
        source: index.optional(),
        extensions: z
          .object({ EXT_texture_webp: imageSource, EXT_texture_avif: imageSource, KHR_texture_basisu: imageSource })
          .optional(),
      }),
    )
    .default([]),
  images: z
    .array(z.object({ uri: z.string().optional(), bufferView: index.optional(), name: z.string().optional() }))
    .default([]),
})

export type Gltf = z.infer<typeof gltfSchema>
export type GltfAccessor = z.infer<typeof accessor>
export type GltfMaterial = z.infer<typeof material>
export type GltfPrimitive = z.infer<typeof primitive>
export type GltfNode = z.infer<typeof node>
export type GltfTextureInfo = z.infer<typeof textureInfo>

/** Extensions that the reader understands, and those that change nothing that a mesh keeps. */
const UNDERSTOOD_EXTENSIONS: ReadonlySet<string> = new Set([
  'EXT_mesh_gpu_instancing',
  'EXT_meshopt_compression',
  'EXT_texture_avif',
  'EXT_texture_webp',
  'KHR_draco_mesh_compression',
  'KHR_mesh_quantization',
  'KHR_meshopt_compression',
  'KHR_node_visibility',
  'KHR_texture_basisu',
  'KHR_texture_transform',
])
/** Families that never hold triangles: how a surface shines, lamps, animation, metadata. */
const HARMLESS_EXTENSION =
  /^(KHR_materials|KHR_lights|KHR_animation|KHR_xmp|EXT_lights|KHR_node_|KHR_audio|KHR_texture)/

/** Those whose absence may show; the rest of the document is read without them. */
export function foreignExtensions(names: readonly string[]): string[] {
  return names.filter((name) => !UNDERSTOOD_EXTENSIONS.has(name) && !HARMLESS_EXTENSION.test(name))
}
