import { encodePng } from '../../media/image.ts'
import type { Material, TriangleMesh } from '../mesh.ts'
import { byteToLinear } from '../render/srgb.ts'

export interface GlbOptions {
  /** Names of instances, for the outline of the program that opens the file. */
  names?: ReadonlyMap<number, string>
}

const ARRAY_BUFFER = 34_962
const ELEMENT_ARRAY_BUFFER = 34_963
const FLOAT = 5126
const UNSIGNED_SHORT = 5123
const UNSIGNED_INT = 5125
const UNLIT = 'KHR_materials_unlit'

/**
 * Writes a mesh as GLB 2.0: one node an instance, one primitive a material, textures as PNG. Axes are turned to glTF's
 * (y up). Where light was baked it goes into the vertex colors. Captured or baked colors hold their light: their
 * materials are marked unlit, so that viewers show what Sightline shows.
 */
export async function writeGlb(mesh: TriangleMesh, { names }: GlbOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  const out = new BinaryParts()
  const unlit = mesh.light !== undefined || mesh.colors !== undefined || mesh.normals === undefined
  const { textures, images, materials } = await describeMaterials(mesh.materials, unlit, out)

  const meshes: object[] = []
  const nodes: object[] = []
  for (const [instance, groups] of groupTriangles(mesh)) {
    const primitives = groups.map(({ material, triangles }) => describePrimitive(mesh, material, triangles, out))
    const name = names?.get(instance) ?? (instance === 0 ? 'scene' : `instance ${instance}`)
    nodes.push({ name, mesh: meshes.push({ name, primitives }) - 1, extras: { instance } })
  }

  const binary = out.finish()
  const document = {
    asset: { version: '2.0', generator: 'Sightline' },
    ...(unlit && { extensionsUsed: [UNLIT] }),
    scene: 0,
    scenes: [{ nodes: nodes.map((_, at) => at) }],
    nodes,
    meshes,
    materials,
    ...(images.length > 0 && { textures, images, samplers: [{}] }),
    accessors: out.accessors,
    bufferViews: out.views,
    buffers: [{ byteLength: binary.byteLength }],
  }
  return assemble(new TextEncoder().encode(JSON.stringify(document)), binary)
}

/** Bytes of the binary part, each piece at a multiple of four, and what describes them. */
class BinaryParts {
  readonly views: object[] = []
  readonly accessors: object[] = []
  readonly #pieces: Uint8Array[] = []
  #length = 0

  view(bytes: Uint8Array, target?: number): number {
    const padded = (bytes.byteLength + 3) & ~3
    this.views.push({
      buffer: 0,
      byteOffset: this.#length,
      byteLength: bytes.byteLength,
      ...(target !== undefined && { target }),
    })
    this.#pieces.push(bytes, new Uint8Array(padded - bytes.byteLength))
    this.#length += padded
    return this.views.length - 1
  }

  accessor(
    values: Float32Array | Uint32Array | Uint16Array,
    type: 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4',
    extra = {},
  ): number {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
    const index = values instanceof Uint32Array
    const componentType = values instanceof Float32Array ? FLOAT : index ? UNSIGNED_INT : UNSIGNED_SHORT
    const width = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 }[type]
    const bufferView = this.view(bytes, index ? ELEMENT_ARRAY_BUFFER : ARRAY_BUFFER)
    return this.accessors.push({ bufferView, componentType, count: values.length / width, type, ...extra }) - 1
  }

  finish(): Uint8Array {
    return Buffer.concat(this.#pieces)
  }
}

interface Group {
  material: number
  triangles: number[]
}

/** Triangles by instance and material, both in ascending order, so that the same mesh gives the same bytes. */
function groupTriangles(mesh: TriangleMesh): [number, Group[]][] {
  const byInstance = new Map<number, Map<number, number[]>>()
  for (let triangle = 0; triangle < mesh.indices.length / 3; triangle++) {
    const instance = mesh.triangleInstances?.[triangle] ?? 0
    const material = mesh.triangleMaterials?.[triangle] ?? 0
    let groups = byInstance.get(instance)
    if (!groups) byInstance.set(instance, (groups = new Map()))
    const triangles = groups.get(material)
    if (triangles) triangles.push(triangle)
    else groups.set(material, [triangle])
  }
  const ascending = <T>(map: Map<number, T>) => [...map].sort(([a], [b]) => a - b)
  return ascending(byInstance).map(([instance, groups]) => [
    instance,
    ascending(groups).map(([material, triangles]) => ({ material, triangles })),
  ])
}

function describePrimitive(
  mesh: TriangleMesh,
  material: number,
  triangles: readonly number[],
  out: BinaryParts,
): object {
  const renumbered = new Map<number, number>()
  const indices = new Uint32Array(triangles.length * 3)
  triangles.forEach((triangle, at) => {
    for (let k = 0; k < 3; k++) {
      const vertex = mesh.indices[triangle * 3 + k]!
      let number = renumbered.get(vertex)
      if (number === undefined) renumbered.set(vertex, (number = renumbered.size))
      indices[at * 3 + k] = number
    }
  })
  const vertices = [...renumbered.keys()]
  const positions = turned(mesh.positions, vertices)
  const colors = vertexColors(mesh, vertices)
  return {
    attributes: {
      POSITION: out.accessor(positions, 'VEC3', extent(positions)),
      ...(mesh.normals && { NORMAL: out.accessor(turned(mesh.normals, vertices), 'VEC3') }),
      ...(mesh.uvs && { TEXCOORD_0: out.accessor(picked(mesh.uvs, vertices, 2), 'VEC2') }),
      ...(colors && { COLOR_0: out.accessor(colors, 'VEC3') }),
    },
    indices: out.accessor(indices, 'SCALAR'),
    material,
  }
}

/** z up to y up: (x, y, z) becomes (x, z, −y). */
function turned(from: Float32Array, vertices: readonly number[]): Float32Array {
  const to = new Float32Array(vertices.length * 3)
  vertices.forEach((vertex, at) => {
    to[at * 3] = from[vertex * 3]!
    to[at * 3 + 1] = from[vertex * 3 + 2]!
    // Subtracted from zero, not negated, so that no −0 gets into the file.
    to[at * 3 + 2] = 0 - from[vertex * 3 + 1]!
  })
  return to
}

function picked(from: Float32Array, vertices: readonly number[], width: number): Float32Array {
  const to = new Float32Array(vertices.length * width)
  vertices.forEach((vertex, at) => {
    for (let k = 0; k < width; k++) to[at * width + k] = from[vertex * width + k]!
  })
  return to
}

/** Captured color times baked light, both as linear light, which is what glTF multiplies. */
function vertexColors({ colors, light }: TriangleMesh, vertices: readonly number[]): Float32Array | undefined {
  if (!colors && !light) return undefined
  const to = new Float32Array(vertices.length * 3)
  vertices.forEach((vertex, at) => {
    for (let k = 0; k < 3; k++) {
      const shade = colors ? byteToLinear(colors[vertex * 3 + k]!) : 1
      to[at * 3 + k] = Math.min(1, shade * (light ? light[vertex * 3 + k]! : 1))
    }
  })
  return to
}

function extent(positions: Float32Array): { min: number[]; max: number[] } {
  const min = [Infinity, Infinity, Infinity]
  const max = [-Infinity, -Infinity, -Infinity]
  for (let i = 0; i < positions.length; i++) {
    min[i % 3] = Math.min(min[i % 3]!, positions[i]!)
    max[i % 3] = Math.max(max[i % 3]!, positions[i]!)
  }
  return { min, max }
}

async function describeMaterials(materials: readonly Material[], unlit: boolean, out: BinaryParts) {
  const textures: object[] = []
  const images: object[] = []
  const described: object[] = []
  const known = new Map<Material['texture'], number>()
  for (const material of materials) {
    const { texture } = material
    let at = known.get(texture)
    if (texture && at === undefined) {
      const { width, height, rgba } = texture
      const png = await encodePng({ width, height, channels: 4, data: rgba })
      images.push({ bufferView: out.view(png), mimeType: 'image/png' })
      at = textures.push({ source: images.length - 1, sampler: 0 }) - 1
      known.set(texture, at)
    }
    const opacity = material.opacity ?? 1
    const linear = material.color.map(byteToLinear)
    described.push({
      name: material.name,
      doubleSided: true,
      ...(opacity < 1 && { alphaMode: 'BLEND' }),
      pbrMetallicRoughness: {
        baseColorFactor: [...linear, opacity],
        ...(at !== undefined && { baseColorTexture: { index: at } }),
        metallicFactor: material.metallic ?? 0,
        roughnessFactor: material.roughness ?? 1,
      },
      ...(material.glow !== undefined && { emissiveFactor: linear.map((value) => value * material.glow!) }),
      ...(unlit && { extensions: { [UNLIT]: {} } }),
    })
  }
  return { textures, images, materials: described }
}

function assemble(json: Uint8Array, binary: Uint8Array): Uint8Array<ArrayBuffer> {
  const jsonLength = (json.byteLength + 3) & ~3
  const length = 12 + 8 + jsonLength + 8 + binary.byteLength
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, 0x46_54_6c_67, true)
  view.setUint32(4, 2, true)
  view.setUint32(8, length, true)
  view.setUint32(12, jsonLength, true)
  view.setUint32(16, 0x4e_4f_53_4a, true)
  bytes.fill(0x20, 20, 20 + jsonLength)
  bytes.set(json, 20)
  view.setUint32(20 + jsonLength, binary.byteLength, true)
  view.setUint32(24 + jsonLength, 0x00_4e_49_42, true)
  bytes.set(binary, 28 + jsonLength)
  return bytes
}
