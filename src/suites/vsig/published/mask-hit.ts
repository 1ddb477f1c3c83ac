/** The published scorers' test of whether a point is on an object. */
import type { EntryMask } from '../domain/annotation.ts'
import { type Box, boxOf, FOREGROUND_ABOVE, type Size } from '../domain/mask.ts'
import { parsePng, pixelAt } from '../domain/mask-png.ts'

const WHOLE_BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
const BASE64_LETTER = /[A-Za-z0-9+/]/

/**
 * Base64 as Python decodes it for the published scorers: other characters are dropped, text after the padding is
 * ignored, missing padding is an error. Null if it raises.
 */
export function publishedBase64(text: string): Uint8Array | null {
  if (text.length % 4 === 0 && WHOLE_BASE64.test(text)) return Buffer.from(text, 'base64')
  let letters = ''
  let pads = 0
  for (const character of text) {
    if (character > '\u007f') return null
    if (character === '=') {
      pads += 1
      if (letters.length % 4 >= 2 && (letters.length % 4) + pads >= 4) return Buffer.from(letters, 'base64')
    } else if (BASE64_LETTER.test(character)) {
      pads = 0
      letters += character
    }
  }
  return letters.length % 4 === 0 ? Buffer.from(letters, 'base64') : null
}

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value
}

/** An index as Python reads it: from the end if it is negative. */
function wrapped(index: number, size: number): number {
  return index < 0 ? index + size : index
}

/**
 * Whether a pixel is on the object, bugs included: the box must contain the pixel, and a mask whose size differs from the
 * video is treated as a crop that fills the box. `transposed` reads the box as `[y1, x1, y2, x2]`.
 */
export function publishedHit(
  { mask_base64: text, bbox }: EntryMask,
  px: number,
  py: number,
  frame: Size,
  transposed = false,
): boolean {
  const box = boxOf(bbox)
  if (typeof text !== 'string' || text === '' || !box) return false
  const [x1, y1, x2, y2]: Box = transposed ? [box[1], box[0], box[3], box[2]] : box
  // Numbers without an integer make the original throw, which counts as a miss.
  if (!Number.isFinite(px) || !Number.isFinite(py) || !(x1 <= px && px <= x2 && y1 <= py && py <= y2)) return false
  const bytes = publishedBase64(text)
  const png = bytes ? parsePng(bytes) : 'not base64'
  if (typeof png === 'string' || !png.complete) return false
  let column = wrapped(px, png.width)
  let row = wrapped(py, png.height)
  if (png.width !== frame.width || png.height !== frame.height) {
    column = x2 > x1 ? clamp(Math.trunc(((px - x1) * png.width) / (x2 - x1)), 0, png.width - 1) : 0
    row = y2 > y1 ? clamp(Math.trunc(((py - y1) * png.height) / (y2 - y1)), 0, png.height - 1) : 0
  }
  if (!(column >= 0 && column < png.width && row >= 0 && row < png.height)) return false
  const value = pixelAt(png, column, row)
  return value !== null && value > FOREGROUND_ABOVE
}
