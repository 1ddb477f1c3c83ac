import { parseForeignJson } from '../../base/foreign/json.ts'
import type { SiblingFiles } from './sibling-files.ts'
import { brokenFile } from './broken.ts'
import { type DracoMesh, decodeDraco } from './gltf-draco.ts'
import { decodeMeshopt } from './gltf-meshopt.ts'
import { foreignExtensions, type Gltf, type GltfPrimitive, gltfSchema } from './gltf-schema.ts'

/** A glTF document with its buffers in memory. */
export interface GltfDocument {
  gltf: Gltf
  file: string
  /** Undefined where a buffer is only a stand-in for compressed data. */
  buffers: readonly (Uint8Array | undefined)[]
  /** Buffer views that were compressed with meshopt. */
  unpackedViews: Map<number, Uint8Array>
  /** Primitives that were compressed with Draco. */
  unpackedPrimitives: Map<GltfPrimitive, DracoMesh>
}

const GLB_MAGIC = 0x46_54_6c_67
const CHUNK_JSON = 0x4e_4f_53_4a
const CHUNK_BINARY = 0x00_4e_49_42

export function isGlb(bytes: Uint8Array): boolean {
  return bytes.length >= 12 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) === GLB_MAGIC
}

/** Opens a `.glb` or `.gltf` file, reads the buffers that it names and decompresses what is compressed. */
export async function openGltf(bytes: Uint8Array, file: string, beside: SiblingFiles): Promise<GltfDocument> {
  const { json, binary } = isGlb(bytes) ? glbChunks(bytes, file) : { json: bytes, binary: undefined }
  const gltf = parseDocument(json, file)
  const foreign = foreignExtensions(gltf.extensionsRequired)
  if (foreign.length > 0) beside.notes.push(`It requires ${foreign.join(', ')}, which Sightline ignores.`)
  const buffers = await Promise.all(
    gltf.buffers.map(async ({ uri, byteLength }, at) => {
      const buffer = uri === undefined ? (at === 0 ? binary : undefined) : await readUri(uri, beside)
      // Without a URI it may be the stand-in that compressed views name for readers that cannot decompress.
      if (!buffer && uri === undefined) return undefined
      if (!buffer) throw brokenFile(file, `buffer ${at} is missing (${uri?.slice(0, 80)})`, beside.notes.at(-1))
      if (buffer.byteLength < byteLength) {
        throw brokenFile(
          file,
          `buffer ${at} should have ${byteLength} bytes but has ${buffer.byteLength}; it is cut off`,
        )
      }
      return buffer
    }),
  )
  const document = { gltf, file, buffers, unpackedViews: new Map(), unpackedPrimitives: new Map() }
  await decodeMeshopt(document)
  await decodeDraco(document)
  return document
}

/** The bytes of a buffer view. */
export function viewBytes({ gltf, buffers, unpackedViews, file }: GltfDocument, at: number): Uint8Array {
  const unpacked = unpackedViews.get(at)
  if (unpacked) return unpacked
  const view = gltf.bufferViews[at]
  if (!view) throw brokenFile(file, `buffer view ${at} is named but not there`)
  return bufferBytes({ buffers, file }, view)
}

/** A range of a buffer, checked. */
export function bufferBytes(
  { buffers, file }: Pick<GltfDocument, 'buffers' | 'file'>,
  { buffer: at, byteOffset, byteLength }: { buffer: number; byteOffset: number; byteLength: number },
): Uint8Array {
  const buffer = buffers[at]
  if (!buffer) throw brokenFile(file, `buffer ${at} is missing`)
  if (byteOffset + byteLength > buffer.byteLength)
    throw brokenFile(file, `a view reaches beyond its buffer ${at}; the file is cut off or broken`)
  return buffer.subarray(byteOffset, byteOffset + byteLength)
}

/** A file next to the document, or the bytes that a data URI holds. */
export async function readUri(uri: string, beside: SiblingFiles): Promise<Uint8Array | undefined> {
  if (!uri.startsWith('data:')) return beside.read(fileName(uri))
  const comma = uri.indexOf(',')
  return Buffer.from(uri.slice(comma + 1), 'base64')
}

/** The file that a URI names; a stray per cent sign is part of the name. */
export function fileName(uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}

function parseDocument(json: Uint8Array, file: string): Gltf {
  let document: unknown
  try {
    document = parseForeignJson(new TextDecoder().decode(json))
  } catch (error) {
    throw brokenFile(file, `its JSON part cannot be read (${String(error)})`)
  }
  const version = versionOf(document)
  if (version !== undefined && !version.startsWith('2'))
    throw brokenFile(file, `it is glTF ${version.slice(0, 8)}; Sightline reads version 2`, 'Convert it to glTF 2.0.')
  const result = gltfSchema.safeParse(document)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw brokenFile(file, `it is not a glTF 2.0 document: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
}

function versionOf(document: unknown): string | undefined {
  if (typeof document !== 'object' || document === null || !('asset' in document)) return undefined
  const { asset } = document
  if (typeof asset !== 'object' || asset === null || !('version' in asset)) return undefined
  return typeof asset.version === 'string' ? asset.version : undefined
}

function glbChunks(bytes: Uint8Array, file: string): { json: Uint8Array; binary: Uint8Array | undefined } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const version = view.getUint32(4, true)
  if (version !== 2) {
    throw brokenFile(file, `it is GLB version ${version}; Sightline reads version 2`, 'Convert it to glTF 2.0.')
  }
  const length = view.getUint32(8, true)
  if (length > bytes.length) {
    throw brokenFile(file, `it should have ${length} bytes but has ${bytes.length}; it is cut off`)
  }
  let json: Uint8Array | undefined
  let binary: Uint8Array | undefined
  for (let at = 12; at + 8 <= length;) {
    const size = view.getUint32(at, true)
    const kind = view.getUint32(at + 4, true)
    if (at + 8 + size > length) throw brokenFile(file, `the part at byte ${at} is longer than the file; it is cut off`)
    const chunk = bytes.subarray(at + 8, at + 8 + size)
    if (kind === CHUNK_JSON) json ??= chunk
    else if (kind === CHUNK_BINARY) binary ??= chunk
    at += 8 + size
  }
  if (!json) throw brokenFile(file, 'it has no JSON part')
  return { json, binary }
}
