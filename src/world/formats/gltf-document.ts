import type { SiblingFiles } from './sibling-files.ts'
import { brokenFile } from './broken.ts'
import { type Gltf, gltfSchema, UNDERSTOOD_EXTENSIONS } from './gltf-schema.ts'

/** A glTF document with its buffers in memory. */
export interface GltfDocument {
  gltf: Gltf
  buffers: readonly Uint8Array[]
}

const GLB_MAGIC = 0x46_54_6c_67
const CHUNK_JSON = 0x4e_4f_53_4a
const CHUNK_BINARY = 0x00_4e_49_42

export function isGlb(bytes: Uint8Array): boolean {
  return bytes.length >= 12 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) === GLB_MAGIC
}

/** Opens a `.glb` or `.gltf` file and reads the buffers that it names. */
export async function openGltf(bytes: Uint8Array, file: string, beside: SiblingFiles): Promise<GltfDocument> {
  const { json, binary } = isGlb(bytes) ? glbChunks(bytes, file) : { json: bytes, binary: undefined }
  const gltf = parseDocument(json, file)
  const unknown = gltf.extensionsRequired.filter((name) => !UNDERSTOOD_EXTENSIONS.has(name))
  if (unknown.length > 0) {
    throw brokenFile(
      file,
      `it requires ${unknown.join(', ')}, which Sightline does not read`,
      'Save it without mesh compression.',
    )
  }
  const buffers = await Promise.all(
    gltf.buffers.map(async ({ uri, byteLength }, at) => {
      const buffer = uri === undefined ? binary : await readUri(uri, beside)
      if (!buffer) throw brokenFile(file, `buffer ${at} is missing${uri === undefined ? '' : ` (${uri.slice(0, 80)})`}`)
      if (buffer.byteLength < byteLength) {
        throw brokenFile(
          file,
          `buffer ${at} should have ${byteLength} bytes but has ${buffer.byteLength}; it is cut off`,
        )
      }
      return buffer
    }),
  )
  return { gltf, buffers }
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
    document = JSON.parse(new TextDecoder().decode(json))
  } catch (error) {
    throw brokenFile(file, `its JSON part cannot be read (${String(error)})`)
  }
  const result = gltfSchema.safeParse(document)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw brokenFile(file, `it is not a glTF 2.0 document: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
}

function glbChunks(bytes: Uint8Array, file: string): { json: Uint8Array; binary: Uint8Array | undefined } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const version = view.getUint32(4, true)
  if (version !== 2) throw brokenFile(file, `it is GLB version ${version}; Sightline reads version 2`)
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
