/** EXT_meshopt_compression and KHR_meshopt_compression: buffer views that are unpacked before anything reads them. */
import { messageOf } from '../../base/errors.ts'
import { brokenFile } from './broken.ts'
import { bufferBytes, type GltfDocument } from './gltf-document.ts'

/** What all views of a document may unpack to: more than any scan has, less than a machine has memory. */
const UNPACKED_LIMIT = 2 ** 30

export async function decodeMeshopt(document: GltfDocument): Promise<void> {
  const { gltf, file, unpackedViews } = document
  const packed = gltf.bufferViews.flatMap(({ extensions }, at) => {
    const view = extensions?.EXT_meshopt_compression ?? extensions?.KHR_meshopt_compression
    return view ? [{ at, view }] : []
  })
  if (packed.length === 0) return
  const total = packed.reduce((sum, { view }) => sum + view.count * view.byteStride, 0)
  if (!(total <= UNPACKED_LIMIT)) throw brokenFile(file, `its compressed data would unpack to ${total} bytes`)
  // Loaded only for files that need it.
  const { MeshoptDecoder } = await import('meshoptimizer/decoder')
  await MeshoptDecoder.ready
  for (const { at, view } of packed) {
    const bytes = new Uint8Array(view.count * view.byteStride)
    try {
      const { byteStride, mode, filter } = view
      MeshoptDecoder.decodeGltfBuffer(bytes, view.count, byteStride, bufferBytes(document, view), mode, filter)
    } catch (error) {
      throw brokenFile(file, `buffer view ${at} cannot be decompressed (meshopt: ${messageOf(error)})`)
    }
    unpackedViews.set(at, bytes)
  }
}
