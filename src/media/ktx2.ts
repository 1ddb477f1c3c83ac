/** KTX 2 textures with Basis Universal data, as glTF files carry them. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileFunction } from 'node:vm'
import { UserError } from '../base/errors.ts'
import { type Bitmap, PIXEL_LIMIT } from './image.ts'

const MAGIC = Uint8Array.of(0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a)
const WIDTH_AT = 20
const HEIGHT_AT = 24
const SIDE_LIMIT = 16_384
/** `cTFRGBA32` of the transcoder. */
const RGBA = 13

export function isKtx2(bytes: Uint8Array): boolean {
  return bytes.length > 80 && MAGIC.every((byte, at) => bytes[at] === byte)
}

/** Width and height, as the header says. Throws if they are too large. */
export function ktx2Size(bytes: Uint8Array): { width: number; height: number } {
  const head = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [width, height] = [head.getUint32(WIDTH_AT, true), head.getUint32(HEIGHT_AT, true)]
  if (width > 0 && height > 0 && Math.max(width, height) <= SIDE_LIMIT && width * height <= PIXEL_LIMIT)
    return { width, height }
  throw new UserError(`The KTX 2 texture says that it has ${width} × ${height} texels.`)
}

/** The largest level of the texture. */
export async function decodeKtx2(bytes: Uint8Array): Promise<Bitmap> {
  const { width, height } = ktx2Size(bytes)
  const { KTX2File } = await transcoder()
  try {
    const file = new KTX2File(bytes)
    // What the header promises is allocated; the file has to agree with it.
    if (!file.isValid()) throw new UserError('It is a KTX 2 texture without Basis Universal data, or a broken one.')
    if (file.getWidth() !== width || file.getHeight() !== height || !file.startTranscoding())
      throw new UserError('The KTX 2 texture is broken.')
    const data = new Uint8Array(file.getImageTranscodedSizeInBytes(0, 0, 0, RGBA))
    if (data.length !== width * height * 4 || !file.transcodeImage(data, 0, 0, 0, RGBA, 0, -1, -1))
      throw new UserError('The KTX 2 texture cannot be decoded.')
    file.close()
    file.delete()
    return { width, height, channels: 4, data }
  } catch (error) {
    // The transcoder may be in any state.
    loaded = undefined
    throw error
  }
}

interface Ktx2File {
  isValid(): boolean
  getWidth(): number
  getHeight(): number
  startTranscoding(): number
  getImageTranscodedSizeInBytes(level: number, layer: number, face: number, format: number): number
  transcodeImage(
    to: Uint8Array,
    level: number,
    layer: number,
    face: number,
    format: number,
    alphaOnly: number,
    channel0: number,
    channel1: number,
  ): number
  close(): void
  delete(): void
}

interface Transcoder {
  KTX2File: new (bytes: Uint8Array) => Ktx2File
  initializeBasis(): void
}

let loaded: Promise<Transcoder> | undefined

/** Loaded once, and only when a texture needs it. */
function transcoder(): Promise<Transcoder> {
  return (loaded ??= load())
}

/** The build copies the transcoder next to this module; in a checkout it is where three has it. */
async function load(): Promise<Transcoder> {
  const beside = fileURLToPath(new URL('basis_transcoder.js', import.meta.url))
  const require = createRequire(import.meta.url)
  const path = existsSync(beside) ? beside : require.resolve('three/examples/jsm/libs/basis/basis_transcoder.js')
  // The file is a CommonJS module with an extension that makes it an ES module in both places.
  const module: { exports?: (options: object) => Promise<Transcoder> } = {}
  const names = ['module', 'exports', 'require', '__filename', '__dirname']
  const run = compileFunction(await readFile(path, 'utf8'), names, { filename: path })
  run(module, module, require, path, dirname(path))
  if (!module.exports) throw new Error(`${path} is not the Basis Universal transcoder`)
  const wasmBinary = await readFile(path.replace(/\.js$/, '.wasm'))
  const opened = await module.exports({ wasmBinary })
  opened.initializeBasis()
  return opened
}
