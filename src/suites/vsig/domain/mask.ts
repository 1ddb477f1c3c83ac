/** Masks, and whether a point is on an object. The published rule is in published/mask-hit.ts. */
import type { EntryMask } from './annotation.ts'
import { asNumber, type Point } from './points.ts'
import { parsePng, pixelAt, type Png } from './mask-png.ts'

/** Values above this belong to the object; a mask of 0 and 1 is empty. */
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

/** Decodes base64; characters outside the alphabet are dropped, as in the published scorers. */
export function maskBytes(text: unknown): Uint8Array {
  if (typeof text !== 'string') return new Uint8Array(0)
  return Buffer.from(text, 'base64')
}

/** Whether each side equals the box's, or is one longer because both ends of a box are inclusive. */
export function isCrop({ width, height }: Size, [x1, y1, x2, y2]: Box): boolean {
  const fits = (side: number, span: number): boolean => side === span || side === span + 1
  return fits(width, x2 - x1) && fits(height, y2 - y1)
}

/** The bounding box of the object, both ends inclusive; null for an empty mask. */
export function tightBox(gray: Uint8Array, { width, height }: Size): Box | null {
  let [x1, y1, x2, y2] = [width, height, -1, -1]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (gray[y * width + x]! <= FOREGROUND_ABOVE) continue
      if (x < x1) x1 = x
      if (x > x2) x2 = x
      if (y < y1) y1 = y
      y2 = y
    }
  }
  return x2 < 0 ? null : [x1, y1, x2, y2]
}

/** A mask prepared for hit tests: parsed once, decoded only as far as each test needs. */
export type Target =
  | { kind: 'frame'; png: Png; box: Box | null }
  | { kind: 'crop'; png: Png; box: Box; frame: Size }
  | { kind: 'broken'; problem: string }

/** A mask without image data counts as none: its object is scored by distance. */
export function hasMask(mask: EntryMask | null | undefined): mask is EntryMask {
  return typeof mask?.mask_base64 === 'string' && mask.mask_base64 !== ''
}

/** Prepares a mask that covers the whole frame at its own size, or a crop if its size matches the box. */
export function targetOf(mask: EntryMask | null | undefined, frame: Size): Target {
  if (!hasMask(mask)) return { kind: 'broken', problem: 'no mask' }
  const png = parsePng(maskBytes(mask.mask_base64))
  if (typeof png === 'string') return { kind: 'broken', problem: png }
  if (!png.complete) return { kind: 'broken', problem: 'truncated PNG' }
  const box = boxOf(mask.bbox)
  const sameAsFrame = png.width === frame.width && png.height === frame.height
  if (box && !sameAsFrame && isCrop(png, box)) return { kind: 'crop', png, box, frame }
  if (box && (box[2] > png.width || box[3] > png.height)) {
    return { kind: 'broken', problem: `box extends outside the mask of ${png.width} × ${png.height}` }
  }
  return { kind: 'frame', png, box }
}

/** Annotation tools differ by a pixel or two; the validator reports boxes that do not fit at all. */
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
  // The mask lies inside its box, so most misses need no decoding.
  if (target.kind === 'frame' && target.box && !isNear(target.box, column, row)) return false
  const value = pixelAt(png, Math.trunc(column), Math.trunc(row))
  return value !== null && value > FOREGROUND_ABOVE
}
