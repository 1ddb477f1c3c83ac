/** Whether a point is on an object, by the rules of the published scorers and by ours. */
import type { EntryMask } from './annotation.ts'
import { asNumber, type Point } from './points.ts'
import { parsePng, pixelAt, type Png } from './mask-png.ts'

/** Values above this are the object; a mask of 0 and 1 is empty. */
export const FOREGROUND_ABOVE = 128

export interface Size {
  width: number
  height: number
}

export type Box = readonly [x1: number, y1: number, x2: number, y2: number]

export function boxOf(value: unknown): Box | null {
  if (!Array.isArray(value) || value.length !== 4) return null
  const [x1, y1, x2, y2] = value.map(asNumber)
  return x1 == null || y1 == null || x2 == null || y2 == null ? null : [x1, y1, x2, y2]
}

/** Bytes of base64 text; characters outside the alphabet are dropped, as the published scorers do. */
export function maskBytes(text: unknown): Uint8Array {
  if (typeof text !== 'string') return new Uint8Array(0)
  return Buffer.from(text, 'base64')
}

/** Each side equal to the box's, or one more because both ends of a box belong to it. */
export function isCrop({ width, height }: Size, [x1, y1, x2, y2]: Box): boolean {
  const fits = (side: number, span: number): boolean => side === span || side === span + 1
  return fits(width, x2 - x1) && fits(height, y2 - y1)
}

/** The rows and columns that the object is in, both ends included; null for an empty mask. */
export function tightBox(grey: Uint8Array, { width, height }: Size): Box | null {
  let [x1, y1, x2, y2] = [width, height, -1, -1]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (grey[y * width + x]! <= FOREGROUND_ABOVE) continue
      if (x < x1) x1 = x
      if (x > x2) x2 = x
      if (y < y1) y1 = y
      y2 = y
    }
  }
  return x2 < 0 ? null : [x1, y1, x2, y2]
}

/** A mask ready for many questions: parsed once, decoded only as far as each question needs. */
export type Target =
  | { kind: 'frame'; png: Png; box: Box | null }
  | { kind: 'crop'; png: Png; box: Box; frame: Size }
  | { kind: 'broken'; problem: string }

/** Without a picture it is no mask: its object is scored by distance, as one that has none at all. */
export function hasMask(mask: EntryMask | null | undefined): mask is EntryMask {
  return typeof mask?.mask_base64 === 'string' && mask.mask_base64 !== ''
}

/** How a mask is to be read: over the whole frame in its own size, or as a crop where its size says so. */
export function targetOf(mask: EntryMask | null | undefined, frame: Size): Target {
  if (!hasMask(mask)) return { kind: 'broken', problem: 'no mask' }
  const png = parsePng(maskBytes(mask.mask_base64))
  if (typeof png === 'string') return { kind: 'broken', problem: png }
  if (!png.complete) return { kind: 'broken', problem: 'PNG cut off' }
  const box = boxOf(mask.bbox)
  const sameAsFrame = png.width === frame.width && png.height === frame.height
  if (box && !sameAsFrame && isCrop(png, box)) return { kind: 'crop', png, box, frame }
  if (box && (box[2] > png.width || box[3] > png.height)) {
    return { kind: 'broken', problem: `box reaches outside of its mask of ${png.width} × ${png.height}` }
  }
  return { kind: 'frame', png, box }
}

/** Boxes are drawn by tools that differ by a pixel or two; the validator tells when one does not fit at all. */
const BOX_MARGIN = 2

function isNear([x1, y1, x2, y2]: Box, column: number, row: number): boolean {
  return column >= x1 - BOX_MARGIN && column <= x2 + BOX_MARGIN && row >= y1 - BOX_MARGIN && row <= y2 + BOX_MARGIN
}

/** Whether a point in 0…1000 is on the object; 1000 is the last pixel. */
export function targetHit(target: Target, [x, y]: Point): boolean {
  if (target.kind === 'broken' || !(x >= 0 && x <= 1000 && y >= 0 && y <= 1000)) return false
  const { png } = target
  const size = target.kind === 'crop' ? target.frame : png
  let column = Math.min(Math.trunc((x * size.width) / 1000), size.width - 1)
  let row = Math.min(Math.trunc((y * size.height) / 1000), size.height - 1)
  if (target.kind === 'crop') {
    column -= target.box[0]
    row -= target.box[1]
  }
  if (!(column >= 0 && row >= 0 && column < png.width && row < png.height)) return false
  // Nothing of the mask is outside of its box: most misses need no decoding.
  if (target.kind === 'frame' && target.box && !isNear(target.box, column, row)) return false
  const value = pixelAt(png, Math.trunc(column), Math.trunc(row))
  return value !== null && value > FOREGROUND_ABOVE
}
