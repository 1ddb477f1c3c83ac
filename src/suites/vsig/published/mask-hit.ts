/** Whether a point is on an object, as the published scorers have it. */
import type { EntryMask } from '../domain/annotation.ts'
import { boxOf, FOREGROUND_ABOVE, type Size } from '../domain/mask.ts'
import { parsePng, pixelAt } from '../domain/mask-png.ts'

const WHOLE_BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
const BASE64_LETTER = /[A-Za-z0-9+/]/

/**
 * Base64 as the language of the published scorers decodes it: other characters are dropped, what follows the padding is
 * ignored, missing padding is an error. Null where it raises.
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

/**
 * The published test, its faults included: the box must hold the pixel, and a mask of another size than the video is
 * taken for a crop that fills the box. `x` and `y` are in 0…1000.
 */
export function publishedHit(mask: EntryMask, x: number, y: number, frame: Size): boolean {
  const px = Math.trunc((x * frame.width) / 1000)
  const py = Math.trunc((y * frame.height) / 1000)
  return publishedPixelHit(mask, px, py, frame)
}

export function publishedPixelHit(
  { mask_base64: text, bbox }: EntryMask,
  px: number,
  py: number,
  frame: Size,
): boolean {
  const box = boxOf(bbox)
  if (typeof text !== 'string' || text === '' || !box) return false
  const [x1, y1, x2, y2] = box
  // Written so that NaN misses, as it makes the original throw and miss.
  if (!(x1 <= px && px <= x2 && y1 <= py && py <= y2)) return false
  const bytes = publishedBase64(text)
  const png = bytes ? parsePng(bytes) : 'not base64'
  if (typeof png === 'string' || !png.complete) return false
  let column = px
  let row = py
  if (png.width !== frame.width || png.height !== frame.height) {
    column = x2 > x1 ? clamp(Math.trunc(((px - x1) * png.width) / (x2 - x1)), 0, png.width - 1) : 0
    row = y2 > y1 ? clamp(Math.trunc(((py - y1) * png.height) / (y2 - y1)), 0, png.height - 1) : 0
  }
  // A negative index counts from the end in the language of the original; the box has ruled out all but −0.
  if (column >= png.width || row >= png.height || column < 0 || row < 0) return false
  const value = pixelAt(png, column, row)
  return value !== null && value > FOREGROUND_ABOVE
}
