import { crc32 } from 'node:zlib'
import { messageOf, UserError } from '../base/errors.ts'
import { plainBytes } from '../base/plain-bytes.ts'
import { sharp } from './sharp.ts'

/** Pixels in row-major order from the top, channels interleaved. */
export interface Bitmap {
  width: number
  height: number
  /** 1: grayscale, 3: RGB, 4: RGBA. */
  channels: 1 | 3 | 4
  data: Uint8Array
}

/** 16-bit grayscale: depth in millimeters, ids. */
export interface Bitmap16 {
  width: number
  height: number
  data: Uint16Array
}

/**
 * Encoder settings, recorded in the provenance of every image. For rendered rooms, level 6 without adaptive filtering
 * is within a few percent of the smallest file at a fraction of the time.
 */
export const PNG_SETTINGS = { compressionLevel: 6, adaptiveFiltering: false, palette: false } as const
export const JPEG_QUALITY = 90
/** 4:4:4 keeps thin colored edges, which are common in small images of rooms. */
export const JPEG_CHROMA = '4:4:4'

/** Larger images (8192 × 8192) are rejected: no benchmark has one, and decoding it takes a gigabyte. */
export const PIXEL_LIMIT = 2 ** 26

/** Encoder and settings of an image, for its provenance. */
export function encoderName(
  type: 'image/png' | 'image/jpeg',
  setting: number = type === 'image/png' ? PNG_SETTINGS.compressionLevel : JPEG_QUALITY,
): string {
  return type === 'image/png'
    ? `sharp ${sharp().versions.sharp ?? '?'} png level=${setting} filter=none`
    : `sharp ${sharp().versions.sharp ?? '?'} jpeg quality=${setting} chroma=${JPEG_CHROMA}`
}

/** `level` is the deflate level: 3 takes about half the time of the default 6, for files a few percent larger. */
export async function encodePng(
  bitmap: Bitmap,
  { level = PNG_SETTINGS.compressionLevel }: { level?: number } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height, channels, data } = bitmap
  const image = sharp()(data, { raw: { width, height, channels } })
  // Without this, sharp writes grayscale as three channels.
  const shaped = channels === 1 ? image.toColourspace('b-w') : image
  return plainBytes(await shaped.png({ ...PNG_SETTINGS, compressionLevel: level }).toBuffer())
}

/** Encodes a PNG with one 16-bit channel. */
export async function encodePng16(bitmap: Bitmap16): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height, data } = bitmap
  // sharp reads 16-bit typed arrays as such, but only this color space keeps 16 bits when writing.
  const image = sharp()(data, { raw: { width, height, channels: 1 } }).toColourspace('grey16')
  return plainBytes(await image.png(PNG_SETTINGS).toBuffer())
}

export async function encodeJpeg(bitmap: Bitmap, { quality = JPEG_QUALITY } = {}): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height, channels, data } = bitmap
  const image = sharp()(data, { raw: { width, height, channels } })
  const shaped = channels === 1 ? image.toColourspace('b-w') : image.flatten({ background: '#ffffff' })
  return plainBytes(await shaped.jpeg({ quality, chromaSubsampling: JPEG_CHROMA }).toBuffer())
}

/**
 * Decodes an image to 8-bit pixels, with its EXIF orientation applied.
 *
 * @example
 * const { width, height, data } = await decodeImage(bytes, { channels: 3 })
 */
export async function decodeImage(
  bytes: Uint8Array,
  { channels = 3 }: { channels?: Bitmap['channels'] } = {},
): Promise<Bitmap> {
  return withDecodeErrors(async () => {
    let image = sharp()(bytes, { limitInputPixels: PIXEL_LIMIT }).autoOrient()
    if (channels === 1) image = image.flatten({ background: '#ffffff' }).toColourspace('b-w')
    else if (channels === 3) image = image.flatten({ background: '#ffffff' }).toColourspace('srgb')
    else image = image.toColourspace('srgb').ensureAlpha()
    const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
    return { width: info.width, height: info.height, channels, data: onlyChannels(data, info.channels, channels) }
  })
}

/** Decodes a grayscale image to 16 bits; 8-bit images are scaled up. */
export async function decodeImage16(bytes: Uint8Array): Promise<Bitmap16> {
  return withDecodeErrors(async () => {
    const image = sharp()(bytes, { limitInputPixels: PIXEL_LIMIT }).toColourspace('grey16')
    const { data, info } = await image.raw({ depth: 'ushort' }).toBuffer({ resolveWithObject: true })
    const all = new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2)
    const grey = new Uint16Array(info.width * info.height)
    for (let i = 0; i < grey.length; i++) grey[i] = all[i * info.channels]!
    return { width: info.width, height: info.height, data: grey }
  })
}

/** Display width and height, without decoding the pixels. */
export async function imageSize(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  const size = pngSize(bytes)
  if (size) return size
  return withDecodeErrors(async () => {
    const { autoOrient } = await sharp()(bytes, { limitInputPixels: PIXEL_LIMIT }).metadata()
    return { width: autoOrient.width, height: autoOrient.height }
  })
}

const PNG_START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
/** Signature, length and name of the header, its 13 bytes and their checksum. */
const PNG_HEADER_BYTES = 33

/** Read directly, because opening an image in sharp takes longer than reading its file. Null if the header is not a plain one. */
function pngSize(bytes: Uint8Array): { width: number; height: number } | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.length <= PNG_HEADER_BYTES || !buffer.subarray(0, PNG_START.length).equals(PNG_START)) return null
  if (crc32(buffer.subarray(12, 29)) !== buffer.readUInt32BE(29)) return null
  // An orientation in EXIF data would turn the image; it comes before the pixels.
  for (let at = PNG_HEADER_BYTES; ; at += buffer.readUInt32BE(at) + 12) {
    if (at + 8 > buffer.length) return null
    const name = buffer.toString('latin1', at + 4, at + 8)
    if (name === 'eXIf') return null
    if (name === 'IDAT') break
  }
  const [width, height] = [buffer.readUInt32BE(16), buffer.readUInt32BE(20)]
  return width > 0 && height > 0 && width * height <= PIXEL_LIMIT ? { width, height } : null
}

/** Resizes to exactly this size with Lanczos, ignoring the aspect ratio. */
export async function resizeBitmap(bitmap: Bitmap, width: number, height: number): Promise<Bitmap> {
  const { channels } = bitmap
  const raw = { width: bitmap.width, height: bitmap.height, channels }
  const image = sharp()(bitmap.data, { raw }).resize(width, height, { fit: 'fill', kernel: 'lanczos3' })
  const shaped = channels === 1 ? image.toColourspace('b-w') : image
  const { data, info } = await shaped.raw().toBuffer({ resolveWithObject: true })
  return { width, height, channels, data: onlyChannels(data, info.channels, channels) }
}

async function withDecodeErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`Cannot decode the image: ${messageOf(error)}`, {
      cause: error,
      hint: 'Supported formats: PNG, JPEG, WebP, GIF, TIFF and SVG.',
    })
  }
}

function onlyChannels(data: Buffer, from: number, to: number): Uint8Array {
  if (from === to) return plainBytes(data)
  const pixels = data.length / from
  const out = new Uint8Array(pixels * to)
  for (let i = 0; i < pixels; i++) {
    for (let k = 0; k < to; k++) out[i * to + k] = data[i * from + Math.min(k, from - 1)]!
  }
  return out
}
