/** glTF files as other programs write them. */
import { type Document, NodeIO } from '@gltf-transform/core'
import {
  EXTMeshoptCompression,
  KHRDracoMeshCompression,
  KHRMaterialsPBRSpecularGlossiness,
  KHRMaterialsUnlit,
  KHRMeshQuantization,
} from '@gltf-transform/extensions'
import draco3d from 'draco3dgltf'
import { MeshoptEncoder } from 'meshoptimizer/encoder'

/** Corners of a cube of side 2 around the origin, and its triangles, with vertices shared. */
export const CUBE = {
  positions: Float32Array.of(-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, 1, 1, 1, 1, 1),
  indices: Uint16Array.of(
    0,
    2,
    3,
    0,
    3,
    1,
    4,
    5,
    7,
    4,
    7,
    6,
    0,
    1,
    5,
    0,
    5,
    4,
    2,
    6,
    7,
    2,
    7,
    3,
    0,
    4,
    6,
    0,
    6,
    2,
    1,
    3,
    7,
    1,
    7,
    5,
  ),
}

/** A GLB as glTF-Transform writes it, compressed where the document asks for it. */
export async function glbOf(document: Document): Promise<Uint8Array> {
  await MeshoptEncoder.ready
  const io = new NodeIO()
    .registerExtensions([
      KHRDracoMeshCompression,
      EXTMeshoptCompression,
      KHRMaterialsUnlit,
      KHRMaterialsPBRSpecularGlossiness,
      KHRMeshQuantization,
    ])
    .registerDependencies({
      'draco3d.encoder': await draco3d.createEncoderModule({}),
      'meshopt.encoder': MeshoptEncoder,
    })
  return io.writeBinary(document)
}

interface Gltf {
  [key: string]: unknown
}

/** A glTF document as text, its bytes in a data URI: `data` is the buffer, the rest is as it is written. */
export function gltfText(data: readonly ArrayBufferView[], document: Gltf): Buffer {
  const bytes = Buffer.concat(
    data.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  )
  const uri = `data:application/octet-stream;base64,${bytes.toString('base64')}`
  let byteOffset = 0
  const bufferViews = data.map(({ byteLength }) => {
    byteOffset += byteLength
    return { buffer: 0, byteOffset: byteOffset - byteLength, byteLength }
  })
  return Buffer.from(
    JSON.stringify({
      asset: { version: '2.0' },
      scenes: [{ nodes: [0] }],
      nodes: [{ mesh: 0 }],
      buffers: [{ byteLength: bytes.byteLength, uri }],
      bufferViews,
      ...document,
    }),
  )
}

/** A KTX 2 texture of one color: UASTC blocks without further compression. */
export function ktx2Of(width: number, height: number, [r, g, b]: readonly [number, number, number]): Uint8Array {
  const HEAD = 80
  const LEVELS = 24
  const DFD = 44
  const BLOCK = 16
  const blocks = Math.ceil(Math.min(width, 64) / 4) * Math.ceil(Math.min(height, 64) / 4)
  const dataAt = Math.ceil((HEAD + LEVELS + DFD) / BLOCK) * BLOCK
  const bytes = Buffer.alloc(dataAt + blocks * BLOCK)
  Buffer.from([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a]).copy(bytes)
  // No GPU format, one byte a value, no depth, no layers, one face, one level, not compressed further.
  const words = [0, 1, width, height, 0, 0, 1, 1, 0, HEAD + LEVELS, DFD, 0, 0]
  words.forEach((word, i) => bytes.writeUInt32LE(word, 12 + i * 4))
  bytes.writeBigUInt64LE(BigInt(dataAt), HEAD)
  bytes.writeBigUInt64LE(BigInt(blocks * BLOCK), HEAD + 8)
  bytes.writeBigUInt64LE(BigInt(blocks * BLOCK), HEAD + 16)
  const dfd = HEAD + LEVELS
  bytes.writeUInt32LE(DFD, dfd)
  bytes.writeUInt16LE(2, dfd + 8)
  bytes.writeUInt16LE(DFD - 4, dfd + 10)
  // UASTC, BT.709, sRGB, blocks of 4 × 4.
  Buffer.from([166, 1, 2, 0, 3, 3, 0, 0, BLOCK]).copy(bytes, dfd + 12)
  Buffer.from([0, 0, 127, 3]).copy(bytes, dfd + 28)
  bytes.writeUInt32LE(0xffffffff, dfd + 40)
  // A block of one color: five bits that say so, then eight each for red, green, blue and alpha.
  const block = 0x17n | (BigInt(r) << 5n) | (BigInt(g) << 13n) | (BigInt(b) << 21n) | (255n << 29n)
  for (let at = dataAt; at < bytes.length; at += BLOCK) bytes.writeBigUInt64LE(block, at)
  return bytes
}
