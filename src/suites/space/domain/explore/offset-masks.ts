/**
 * Bitmasks of the offsets between two points that a relation allows. A relation depends only on the difference of two
 * positions, so one mask of side 4g + 1 serves every pair of points in the square [-g, g]².
 *
 * Row `dy + 2g` of a mask holds bit `dx + 2g` for the offset (dx, dy). Rows are padded by a word, which allows reading 32
 * bits at any bit position without a bounds check.
 */
import {
  aheadOf,
  cardinalBinOfCells,
  distanceBinOfSquare,
  egoBinOfCells,
  headingIndex,
  PROXIMITY_METERS,
  rightOf,
} from '../grid/relations.ts'
import { HEADINGS, type Vec } from '../grid/scene.ts'

export interface MaskShape {
  /** The square is [-radius, radius]². */
  radius: number
  /** Cells per side of the mask: 4 · radius + 1. */
  side: number
  wordsPerRow: number
}

export function maskShape(radius: number): MaskShape {
  const side = 4 * radius + 1
  return { radius, side, wordsPerRow: (side >>> 5) + 2 }
}

/** A mask with its first and last non-empty row: most relations cover only a few rows. */
export interface OffsetMask {
  readonly bits: Uint32Array
  readonly low: number
  readonly high: number
}

/** Finds the non-empty rows; an empty mask has `high` below `low`. */
export function withRowBounds(bits: Uint32Array, wordsPerRow: number): OffsetMask {
  let first = 0
  while (first < bits.length && bits[first] === 0) first += 1
  let last = bits.length - 1
  while (last > first && bits[last] === 0) last -= 1
  if (first === bits.length) return { bits, low: 0, high: -1 }
  return { bits, low: Math.floor(first / wordsPerRow), high: Math.floor(last / wordsPerRow) }
}

type Allows = (dx: number, dy: number) => boolean

function buildMask(shape: MaskShape, allows: Allows): OffsetMask {
  const { radius, side, wordsPerRow } = shape
  const bits = new Uint32Array(side * wordsPerRow)
  const reach = 2 * radius
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      if (allows(column - reach, row - reach)) bits[row * wordsPerRow + (column >>> 5)]! |= 1 << (column & 31)
    }
  }
  return withRowBounds(bits, wordsPerRow)
}

/** Masks by radius and relation. Cleared when full, because worlds of many grid sizes would grow it without limit. */
const MAX_CACHED = 8192
const cache = new Map<number, OffsetMask>()

const KINDS = { ego: 0, proximity: 1 } as const

function cachedMask(key: number, make: () => OffsetMask): OffsetMask {
  let mask = cache.get(key)
  if (mask === undefined) {
    if (cache.size >= MAX_CACHED) cache.clear()
    mask = make()
    cache.set(key, mask)
  }
  return mask
}

function keyOf(
  shape: MaskShape,
  kind: number,
  heading: number,
  bin: number,
  distance: number,
  mirrored: boolean,
): number {
  return ((((shape.radius * 2 + kind) * 4 + heading) * 8 + bin) * 8 + distance) * 2 + (mirrored ? 1 : 0)
}

/** Offsets subject − anchor with this egocentric and distance bin under `heading`; mirrored: anchor − subject. */
export function egoMask(shape: MaskShape, heading: Vec, ego: number, distance: number, mirrored: boolean): OffsetMask {
  const turn = headingIndex(heading)
  return cachedMask(keyOf(shape, KINDS.ego, turn, ego, distance, mirrored), () => {
    const facing = HEADINGS[turn]!
    const sign = mirrored ? -1 : 1
    return buildMask(
      shape,
      (dx, dy) =>
        distanceBinOfSquare(dx * dx + dy * dy) === distance &&
        egoBinOfCells(sign * rightOf(facing, dx, dy), sign * aheadOf(facing, dx, dy)) === ego,
    )
  })
}

/** The same for two entities at most two cells apart, by cardinal bin with `heading` as north. */
export function proximityMask(
  shape: MaskShape,
  heading: Vec,
  cardinal: number,
  distance: number,
  mirrored: boolean,
): OffsetMask {
  const turn = headingIndex(heading)
  return cachedMask(keyOf(shape, KINDS.proximity, turn, cardinal, distance, mirrored), () => {
    const facing = HEADINGS[turn]!
    const sign = mirrored ? -1 : 1
    const reach = PROXIMITY_METERS * PROXIMITY_METERS
    return buildMask(shape, (dx, dy) => {
      const square = dx * dx + dy * dy
      return (
        square <= reach &&
        distanceBinOfSquare(square) === distance &&
        cardinalBinOfCells(sign * rightOf(facing, dx, dy), sign * aheadOf(facing, dx, dy)) === cardinal
      )
    })
  })
}

export function exactMask(shape: MaskShape, offset: Vec): OffsetMask {
  return buildMask(shape, (dx, dy) => dx === offset[0] && dy === offset[1])
}
