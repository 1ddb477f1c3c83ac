/**
 * Which offsets between two points a relation allows, as bit pictures. A relation depends on the difference of two
 * positions only, so one picture of side 4g + 1 serves every pair of points in the square [-g, g]².
 *
 * Row `dy + 2g` of a picture holds bit `dx + 2g` for the offset (dx, dy). Rows are padded by a word so that 32 bits can
 * be read at any bit position without a test.
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
  /** Cells on a side of the picture: 4 · radius + 1. */
  side: number
  wordsPerRow: number
}

export function maskShape(radius: number): MaskShape {
  const side = 4 * radius + 1
  return { radius, side, wordsPerRow: (side >>> 5) + 2 }
}

/** A bit picture, with the first and last row that allows anything: most relations reach a few rows only. */
export interface OffsetMask {
  readonly bits: Uint32Array
  readonly low: number
  readonly high: number
}

/** Finds the rows in use; a picture that allows nothing has none. */
export function bounded(bits: Uint32Array, wordsPerRow: number): OffsetMask {
  let first = 0
  while (first < bits.length && bits[first] === 0) first += 1
  let last = bits.length - 1
  while (last > first && bits[last] === 0) last -= 1
  if (first === bits.length) return { bits, low: 0, high: -1 }
  return { bits, low: Math.floor(first / wordsPerRow), high: Math.floor(last / wordsPerRow) }
}

type Allows = (dx: number, dy: number) => boolean

function draw(shape: MaskShape, allows: Allows): OffsetMask {
  const { radius, side, wordsPerRow } = shape
  const bits = new Uint32Array(side * wordsPerRow)
  const reach = 2 * radius
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      if (allows(column - reach, row - reach)) bits[row * wordsPerRow + (column >>> 5)]! |= 1 << (column & 31)
    }
  }
  return bounded(bits, wordsPerRow)
}

/** Pictures by radius and relation. Bounded: a world of many grid sizes starts over instead of growing for ever. */
const MAX_KEPT = 8192
const kept = new Map<number, OffsetMask>()

const KINDS = { ego: 0, proximity: 1 } as const

function recall(key: number, make: () => OffsetMask): OffsetMask {
  let mask = kept.get(key)
  if (mask === undefined) {
    if (kept.size >= MAX_KEPT) kept.clear()
    mask = make()
    kept.set(key, mask)
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

/** Offsets subject − anchor with this egocentric bin under `heading` and this distance bin; mirrored: anchor − subject. */
export function egoMask(shape: MaskShape, heading: Vec, ego: number, distance: number, mirrored: boolean): OffsetMask {
  const turn = headingIndex(heading)
  return recall(keyOf(shape, KINDS.ego, turn, ego, distance, mirrored), () => {
    const facing = HEADINGS[turn]!
    const sign = mirrored ? -1 : 1
    return draw(
      shape,
      (dx, dy) =>
        distanceBinOfSquare(dx * dx + dy * dy) === distance &&
        egoBinOfCells(sign * rightOf(facing, dx, dy), sign * aheadOf(facing, dx, dy)) === ego,
    )
  })
}

/** The same for two entities at most two cells apart, by cardinal bin with `heading` called north. */
export function proximityMask(
  shape: MaskShape,
  heading: Vec,
  cardinal: number,
  distance: number,
  mirrored: boolean,
): OffsetMask {
  const turn = headingIndex(heading)
  return recall(keyOf(shape, KINDS.proximity, turn, cardinal, distance, mirrored), () => {
    const facing = HEADINGS[turn]!
    const sign = mirrored ? -1 : 1
    const reach = PROXIMITY_METERS * PROXIMITY_METERS
    return draw(shape, (dx, dy) => {
      const square = dx * dx + dy * dy
      return (
        square <= reach &&
        distanceBinOfSquare(square) === distance &&
        cardinalBinOfCells(sign * rightOf(facing, dx, dy), sign * aheadOf(facing, dx, dy)) === cardinal
      )
    })
  })
}

/** Exactly one offset. */
export function exactMask(shape: MaskShape, offset: Vec): OffsetMask {
  return draw(shape, (dx, dy) => dx === offset[0] && dy === offset[1])
}
