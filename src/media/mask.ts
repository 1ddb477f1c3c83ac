import { UserError } from '../base/errors.ts'
import { type Bitmap, decodeImage, encodePng } from './image.ts'

/** The pixels of an object in an image. */
export interface Mask {
  width: number
  height: number
  /** 1 inside, 0 outside, one byte per pixel. */
  inside: Uint8Array
}

/** Values above this are inside, as in common annotation tools. A mask of 0 and 1 is therefore empty. */
const FOREGROUND_ABOVE = 128

/** Reads a mask from an image by luma; alpha is ignored, and 16-bit values count by their high byte. */
export async function maskFromImage(bytes: Uint8Array): Promise<Mask> {
  const { width, height, data } = await decodeImage(bytes, { channels: 4 })
  const inside = new Uint8Array(width * height)
  for (let i = 0; i < inside.length; i++) {
    const luma = Math.round(0.299 * data[i * 4]! + 0.587 * data[i * 4 + 1]! + 0.114 * data[i * 4 + 2]!)
    inside[i] = luma > FOREGROUND_ABOVE ? 1 : 0
  }
  return { width, height, inside }
}

/** Reads a mask from a Base64 PNG, with or without a `data:` prefix; invalid characters are ignored. */
export async function maskFromBase64(text: string): Promise<Mask> {
  const comma = text.startsWith('data:') ? text.indexOf(',') : -1
  const bytes = Buffer.from(text.slice(comma + 1), 'base64')
  if (bytes.length === 0) throw new UserError('The mask is empty: its Base64 text decodes to no bytes.')
  return maskFromImage(bytes)
}

/** Whether the pixel at (x, y) is inside the mask; points outside the image never are. */
export function pointInMask(mask: Mask, x: number, y: number): boolean {
  const column = Math.floor(x)
  const row = Math.floor(y)
  if (!(column >= 0 && row >= 0 && column < mask.width && row < mask.height)) return false
  return mask.inside[row * mask.width + column] === 1
}

export function maskArea({ inside }: Mask): number {
  let area = 0
  for (const pixel of inside) area += pixel
  return area
}

/** The bounding box of a mask, with inclusive bounds; undefined if the mask is empty. */
export function maskBox({
  width,
  height,
  inside,
}: Mask): { x1: number; y1: number; x2: number; y2: number } | undefined {
  let [x1, y1, x2, y2] = [width, height, -1, -1]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (inside[y * width + x] !== 1) continue
      if (x < x1) x1 = x
      if (x > x2) x2 = x
      if (y < y1) y1 = y
      y2 = y
    }
  }
  return x2 < 0 ? undefined : { x1, y1, x2, y2 }
}

/** Encodes a mask as an 8-bit grayscale PNG of 0 and 255. */
export function encodeMask({ width, height, inside }: Mask): Promise<Uint8Array<ArrayBuffer>> {
  const bitmap: Bitmap = { width, height, channels: 1, data: inside.map((pixel) => pixel * 255) }
  return encodePng(bitmap)
}
