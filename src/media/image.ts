import { messageOf, UserError } from '../base/errors.ts'
import { sharp } from './sharp.ts'

/** Pixels in rows from top to bottom, channels interleaved. */
export interface Bitmap {
  width: number
  height: number
  /** 1 grey, 3 r g b, 4 r g b a. */
  channels: 1 | 3 | 4
  data: Uint8Array
}

/** Grey values of 16 bits: depth in millimetres, ids. */
export interface Bitmap16 {
  width: number
  height: number
  data: Uint16Array
}

/**
 * Encoder settings, written into the provenance of every picture. No adaptive filtering and level 6: on rendered
 * rooms that is within a few per cent of the smallest file at a fraction of the time.
 */
export const PNG_SETTINGS = { compressionLevel: 6, adaptiveFiltering: false, palette: false } as const
export const JPEG_QUALITY = 90
/** 4:4:4 keeps thin coloured edges, which small pictures of rooms are full of. */
export const JPEG_CHROMA = '4:4:4'

/** A picture of this many pixels is refused: no benchmark has one, and it would fill the memory. */
const PIXEL_LIMIT = 100_000_000

/** How a picture was encoded, for its provenance. */
export function encoderName(
  type: 'image/png' | 'image/jpeg',
  setting: number = type === 'image/png' ? PNG_SETTINGS.compressionLevel : JPEG_QUALITY,
): string {
  return type === 'image/png'
    ? `sharp ${sharp().versions.sharp ?? '?'} png level=${setting} filter=none`
    : `sharp ${sharp().versions.sharp ?? '?'} jpeg quality=${setting} chroma=${JPEG_CHROMA}`
}

/** `level` is that of deflate: 3 takes about half the time of the usual 6 for files that are a few per cent larger. */
export async function encodePng(
  bitmap: Bitmap,
  { level = PNG_SETTINGS.compressionLevel }: { level?: number } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height, channels, data } = bitmap
  const image = sharp()(data, { raw: { width, height, channels } })
  // Without this, grey goes out as three channels.
  const shaped = channels === 1 ? image.toColourspace('b-w') : image
  return plainBytes(await shaped.png({ ...PNG_SETTINGS, compressionLevel: level }).toBuffer())
}

/** A PNG of one 16-bit channel. */
export async function encodePng16(bitmap: Bitmap16): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height, data } = bitmap
  // sharp reads typed arrays of 16 bits as such, but only this colour space keeps them when writing.
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
 * Any picture as 8-bit pixels, turned upright as its EXIF says.
 *
 * @example
 * const { width, height, data } = await decodeImage(bytes, { channels: 3 })
 */
export async function decodeImage(
  bytes: Uint8Array,
  { channels = 3 }: { channels?: Bitmap['channels'] } = {},
): Promise<Bitmap> {
  return readable(async () => {
    let image = sharp()(bytes, { limitInputPixels: PIXEL_LIMIT }).autoOrient()
    if (channels === 1) image = image.flatten({ background: '#ffffff' }).toColourspace('b-w')
    else if (channels === 3) image = image.flatten({ background: '#ffffff' }).toColourspace('srgb')
    else image = image.toColourspace('srgb').ensureAlpha()
    const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
    return { width: info.width, height: info.height, channels, data: onlyChannels(data, info.channels, channels) }
  })
}

/** A grey picture with all its 16 bits; 8-bit ones are spread to 16. */
export async function decodeImage16(bytes: Uint8Array): Promise<Bitmap16> {
  return readable(async () => {
    const image = sharp()(bytes, { limitInputPixels: PIXEL_LIMIT }).toColourspace('grey16')
    const { data, info } = await image.raw({ depth: 'ushort' }).toBuffer({ resolveWithObject: true })
    const all = new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2)
    const grey = info.channels === 1 ? all.slice() : all.filter((_, i) => i % info.channels === 0)
    return { width: info.width, height: info.height, data: grey }
  })
}

/** Width and height as a viewer would see them, without decoding the pixels. */
export async function imageSize(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  return readable(async () => {
    const { autoOrient } = await sharp()(bytes, { limitInputPixels: PIXEL_LIMIT }).metadata()
    return { width: autoOrient.width, height: autoOrient.height }
  })
}

/** Scales with Lanczos to exactly this size, whatever the aspect. */
export async function resizeBitmap(bitmap: Bitmap, width: number, height: number): Promise<Bitmap> {
  const { channels } = bitmap
  const raw = { width: bitmap.width, height: bitmap.height, channels }
  const image = sharp()(bitmap.data, { raw }).resize(width, height, { fit: 'fill', kernel: 'lanczos3' })
  const shaped = channels === 1 ? image.toColourspace('b-w') : image
  const { data, info } = await shaped.raw().toBuffer({ resolveWithObject: true })
  return { width, height, channels, data: onlyChannels(data, info.channels, channels) }
}

async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new UserError(`The picture cannot be decoded: ${messageOf(error)}`, {
      cause: error,
      hint: 'PNG, JPEG, WebP, GIF, TIFF and SVG are understood.',
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

/** Bytes of their own: small Buffers share a pool, which must not be kept or transferred. */
function plainBytes(buffer: Buffer): Uint8Array<ArrayBuffer> {
  if (buffer.buffer instanceof ArrayBuffer && buffer.byteLength === buffer.buffer.byteLength) {
    return new Uint8Array(buffer.buffer)
  }
  return new Uint8Array(buffer)
}
