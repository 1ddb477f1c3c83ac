/** KHR_draco_mesh_compression: primitives that are unpacked before anything reads them. */
import { messageOf } from '../../base/errors.ts'
import { brokenFile } from './broken.ts'
import { type GltfDocument, viewBytes } from './gltf-document.ts'
import type { GltfAccessor, GltfPrimitive } from './gltf-schema.ts'

/** The triangles of a primitive, and the numbers of its attributes, as many to a vertex as the accessor says. */
export interface DracoMesh {
  vertices: number
  indices: Uint32Array
  attributes: ReadonlyMap<string, { values: Float32Array; width: number }>
}

/** Numbers that all primitives of a document may unpack to. */
const UNPACKED_LIMIT = 300_000_000

export async function decodeDraco(document: GltfDocument): Promise<void> {
  const { gltf, file, unpackedPrimitives } = document
  const packed = gltf.meshes
    .flatMap(({ primitives }) => primitives)
    .filter(({ extensions }) => extensions?.KHR_draco_mesh_compression)
  if (packed.length === 0) return
  // What the accessors promise; the decoder's own numbers are compared with it before they are copied.
  const promised = packed
    .flatMap(({ attributes, indices }) => [...Object.values(attributes), ...(indices === undefined ? [] : [indices])])
    .reduce((sum, at) => sum + (gltf.accessors[at]?.count ?? 0), 0)
  if (!(promised <= UNPACKED_LIMIT)) throw brokenFile(file, `its compressed meshes promise ${promised} numbers`)
  const draco = await openDecoder()
  for (const primitive of packed) {
    try {
      unpackedPrimitives.set(primitive, draco(document, primitive))
    } catch (error) {
      throw brokenFile(file, `a mesh cannot be decompressed (Draco: ${messageOf(error)})`)
    }
  }
}

/** Loaded only for files that need it, and anew for each: what a broken file leaves behind is not kept. */
async function openDecoder(): Promise<(document: GltfDocument, primitive: GltfPrimitive) => DracoMesh> {
  const { default: draco3d } = await import('draco3dgltf')
  const draco = await draco3d.createDecoderModule({})
  return (document, primitive) => {
    const { bufferView, attributes: ids } = primitive.extensions!.KHR_draco_mesh_compression!
    const bytes = viewBytes(document, bufferView)
    const decoder = new draco.Decoder()
    const buffer = new draco.DecoderBuffer()
    const mesh = new draco.Mesh()
    try {
      buffer.Init(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), bytes.byteLength)
      if (decoder.GetEncodedGeometryType(buffer) !== draco.TRIANGULAR_MESH) throw new Error('it holds no triangles')
      const status = decoder.DecodeBufferToMesh(buffer, mesh)
      if (!status.ok()) throw new Error(status.error_msg())
      const vertices = mesh.num_points()
      const corners = mesh.num_faces() * 3
      if (vertices > UNPACKED_LIMIT || corners > UNPACKED_LIMIT) throw new Error('it is too large')
      const attributes = new Map<string, { values: Float32Array; width: number }>()
      for (const [name, id] of Object.entries(ids)) {
        const attribute = decoder.GetAttributeByUniqueId(mesh, id)
        if (!attribute?.ptr) continue
        const width = attribute.num_components()
        const values = copied(draco, vertices * width, 4, (size, at) =>
          decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, draco.DT_FLOAT32, size, at),
        )
        const accessor = document.gltf.accessors[primitive.attributes[name] ?? -1]
        attributes.set(name, { values: spread(new Float32Array(values), accessor, attribute.normalized()), width })
      }
      const indices = copied(draco, corners, 4, (size, at) => decoder.GetTrianglesUInt32Array(mesh, size, at))
      return { vertices, indices: new Uint32Array(indices), attributes }
    } finally {
      draco.destroy(mesh)
      draco.destroy(buffer)
      draco.destroy(decoder)
    }
  }
}

/** What the decoder writes into its own memory, taken out of it. */
function copied(
  draco: { _malloc(size: number): number; _free(at: number): void; HEAPF32: Float32Array },
  count: number,
  bytesEach: number,
  write: (size: number, at: number) => boolean,
): ArrayBuffer {
  const size = count * bytesEach
  const at = draco._malloc(size)
  try {
    if (!write(size, at)) throw new Error('an attribute cannot be read')
    return new Uint8Array(draco.HEAPF32.buffer, at, size).slice().buffer
  } finally {
    draco._free(at)
  }
}

const LARGEST: Readonly<Partial<Record<GltfAccessor['componentType'], number>>> = {
  5120: 127,
  5121: 255,
  5122: 32_767,
  5123: 65_535,
}

/** Whole numbers spread to 0…1 where the accessor says so and the decoder has not done it. */
function spread(values: Float32Array, accessor: GltfAccessor | undefined, decoded: boolean): Float32Array {
  const largest = accessor?.normalized === true && !decoded ? LARGEST[accessor.componentType] : undefined
  return largest === undefined ? values : values.map((value) => value / largest)
}
