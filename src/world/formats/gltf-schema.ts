import { z } from 'zod'

/** The parts of a glTF 2.0 document that a mesh is made of. What is not named here is passed over. */

const index = z.number().int().nonnegative()
const vector = (length: number) => z.array(z.number()).length(length)

const bufferView = z.object({
  buffer: index,
  byteOffset: index.default(0),
  byteLength: index,
  byteStride: index.optional(),
})

const accessor = z.object({
  bufferView: index.optional(),
  byteOffset: index.default(0),
  componentType: z.union([
    z.literal(5120),
    z.literal(5121),
    z.literal(5122),
    z.literal(5123),
    z.literal(5125),
    z.literal(5126),
  ]),
  normalized: z.boolean().default(false),
  count: index,
  type: z.enum(['SCALAR', 'VEC2', 'VEC3', 'VEC4', 'MAT2', 'MAT3', 'MAT4']),
  sparse: z.unknown().optional(),
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
  alphaMode: z.enum(['OPAQUE', 'MASK', 'BLEND']).default('OPAQUE'),
})

const primitive = z.object({
  attributes: z.record(z.string(), index),
  indices: index.optional(),
  material: index.optional(),
  mode: z.number().int().default(4),
})

const node = z.object({
  name: z.string().optional(),
  mesh: index.optional(),
  children: z.array(index).default([]),
  matrix: vector(16).optional(),
  translation: vector(3).default([0, 0, 0]),
  rotation: vector(4).default([0, 0, 0, 1]),
  scale: vector(3).default([1, 1, 1]),
  extras: z.unknown().optional(),
})

export const gltfSchema = z.object({
  asset: z.object({ version: z.string() }),
  extensionsRequired: z.array(z.string()).default([]),
  scene: index.default(0),
  scenes: z.array(z.object({ nodes: z.array(index).default([]) })).default([]),
  nodes: z.array(node).default([]),
  meshes: z.array(z.object({ name: z.string().optional(), primitives: z.array(primitive) })).default([]),
  accessors: z.array(accessor).default([]),
  bufferViews: z.array(bufferView).default([]),
  buffers: z.array(z.object({ uri: z.string().optional(), byteLength: index })).default([]),
  materials: z.array(material).default([]),
  textures: z
    .array(
      z.object({
        source: index.optional(),
        extensions: z.object({ EXT_texture_webp: z.object({ source: index }).optional() }).optional(),
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

/** Extensions that change nothing that a mesh keeps, or that the reader understands. */
export const UNDERSTOOD_EXTENSIONS: ReadonlySet<string> = new Set([
  'KHR_mesh_quantization',
  'KHR_texture_transform',
  'KHR_materials_unlit',
  'KHR_materials_emissive_strength',
  'KHR_materials_ior',
  'KHR_materials_specular',
  'KHR_materials_transmission',
  'KHR_materials_clearcoat',
  'KHR_materials_sheen',
  'KHR_materials_volume',
  'KHR_lights_punctual',
  'EXT_texture_webp',
])
