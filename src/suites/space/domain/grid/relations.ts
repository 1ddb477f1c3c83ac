/**
 * Relations between two points: bearings, the three bin systems, and the words for headings and walls. Bearings are
 * degrees clockwise from the viewer's heading: 0 is ahead, +90 is right.
 */
import { HEADINGS, type Vec } from './scene.ts'

/** Upper edges of distance bins are widened by this much, because the prompt says that they are inclusive. */
const DISTANCE_EPSILON = 1e-6
/** Points closer than this on both axes coincide, and count as straight ahead. */
const SAME_POINT = 1e-6
const DEGREES = 180 / Math.PI

/** Egocentric bins by id. Ids 0 and 6 share a label but are left and right of the field of view. */
export const EGO_LABELS = [
  'beyond-fov',
  'front-left',
  'front-slight-left',
  'front',
  'front-slight-right',
  'front-right',
  'beyond-fov',
] as const

/** Cardinal bins by id, clockwise from north. */
export const CARDINAL_LABELS = [
  'north',
  'north east',
  'east',
  'south east',
  'south',
  'south west',
  'west',
  'north west',
] as const

/** Distance bins by id. */
export const DISTANCE_LABELS = [
  'same distance',
  'near',
  'mid distance',
  'slightly far',
  'far',
  'very far',
  'extremely far',
] as const

export type EgoLabel = (typeof EGO_LABELS)[number]
export type CardinalLabel = (typeof CARDINAL_LABELS)[number]
export type DistanceLabel = (typeof DISTANCE_LABELS)[number]
export type HeadingName = 'north' | 'east' | 'south' | 'west'
export type FacingWord = 'forward' | 'right' | 'backward' | 'left'
export type WallWord = 'front' | 'right' | 'back' | 'left'

export const BEYOND_FOV_LEFT = 0
export const BEYOND_FOV_RIGHT = 6

/** Upper edges of distance bins 0 … 5. */
const DISTANCE_EDGES = [
  DISTANCE_EPSILON,
  2 + DISTANCE_EPSILON,
  4 + DISTANCE_EPSILON,
  8 + DISTANCE_EPSILON,
  16 + DISTANCE_EPSILON,
  32 + DISTANCE_EPSILON,
] as const

/** An observation relates entities to each other that are at most this far apart. */
export const PROXIMITY_METERS = 2

/** Bearing of `to` seen from `from` under `heading`, degrees in [-180, 180]. Coincident points are straight ahead. */
export function bearingDegrees(from: Vec, heading: Vec, to: Vec): number {
  return bearingOfOffset(to[0] - from[0], to[1] - from[1], heading)
}

/** Bearing of the offset (dx, dy) under `heading`. */
export function bearingOfOffset(dx: number, dy: number, heading: Vec): number {
  if (Math.abs(dx) < SAME_POINT && Math.abs(dy) < SAME_POINT) return 0
  const right = heading[1] * dx - heading[0] * dy
  const ahead = heading[0] * dx + heading[1] * dy
  return Math.atan2(right, ahead) * DEGREES
}

/** Id of the cardinal bin, half-open [low, high). Accepts any angle. */
export function cardinalBin(bearing: number): number {
  const turned = ((bearing % 360) + 360) % 360
  return Math.floor((turned + 22.5) / 45) % 8
}

/** Id of the distance bin; upper edges are inclusive. */
export function distanceBin(distance: number): number {
  for (let id = 0; id < DISTANCE_EDGES.length; id++) if (distance < DISTANCE_EDGES[id]!) return id
  return DISTANCE_EDGES.length
}

/*
 * For integer offsets, only the edges at 0° and ±45° can be hit exactly, because tan 22.5° is irrational, and distances
 * can be compared squared. These functions return the same ids as those above without a square root or arc tangent.
 */

/** tan 22.5° */
const SLIGHT = Math.SQRT2 - 1

/** Id of the egocentric bin of an integer offset, given as (right, ahead) in the viewer's frame. */
export function egoBinOfCells(right: number, ahead: number): number {
  if (right === 0) return ahead >= 0 ? 3 : BEYOND_FOV_RIGHT
  if (right < 0) {
    if (-right > ahead) return BEYOND_FOV_LEFT
    return -right > SLIGHT * ahead ? 1 : 2
  }
  if (right > ahead) return BEYOND_FOV_RIGHT
  return right > SLIGHT * ahead ? 5 : 4
}

/** `cardinalBin` of an integer offset, given as (right, ahead) in the viewer's frame. */
export function cardinalBinOfCells(right: number, ahead: number): number {
  const across = Math.abs(right)
  const along = Math.abs(ahead)
  if (across <= SLIGHT * along) return ahead >= 0 ? 0 : 4
  if (along <= SLIGHT * across) return right > 0 ? 2 : 6
  if (right > 0) return ahead > 0 ? 1 : 3
  return ahead > 0 ? 7 : 5
}

/** `distanceBin` of an integer squared distance. */
export function distanceBinOfSquare(square: number): number {
  if (square <= 16) return square <= 4 ? (square === 0 ? 0 : 1) : 2
  if (square <= 256) return square <= 64 ? 3 : 4
  return square <= 1024 ? 5 : 6
}

/** Cells to the right of `from` when looking along `heading`. */
export function rightOf(heading: Vec, dx: number, dy: number): number {
  return heading[1] * dx - heading[0] * dy
}

/** Cells ahead of `from` when looking along `heading`. */
export function aheadOf(heading: Vec, dx: number, dy: number): number {
  return heading[0] * dx + heading[1] * dy
}

const HEADING_NAMES: readonly HeadingName[] = ['north', 'east', 'south', 'west']

/** Quarter turns clockwise from north: 0 … 3. */
export function headingIndex(heading: Vec): number {
  if (heading[0] === 0) return heading[1] > 0 ? 0 : 2
  return heading[0] > 0 ? 1 : 3
}

export function headingName(heading: Vec): HeadingName {
  return HEADING_NAMES[headingIndex(heading)]!
}

export function headingNamed(name: HeadingName): Vec {
  return HEADINGS[HEADING_NAMES.indexOf(name)]!
}

/** The heading after turning clockwise by a multiple of 90 degrees. */
export function rotateHeading(heading: Vec, degrees: number): Vec {
  return HEADINGS[(((headingIndex(heading) + Math.round(degrees / 90)) % 4) + 4) % 4]!
}

/** The heading closest to the direction (dx, dy); ties go to the first of N, E, S, W. */
export function closestHeading(dx: number, dy: number): Vec {
  let best = HEADINGS[0]!
  let most = -Infinity
  for (const heading of HEADINGS) {
    const along = heading[0] * dx + heading[1] * dy
    if (along > most) {
      most = along
      best = heading
    }
  }
  return best
}

const FACING_WORDS: readonly FacingWord[] = ['forward', 'right', 'backward', 'left']
const WALL_WORDS: readonly WallWord[] = ['back', 'left', 'front', 'right']

/** The word for a facing, as seen by a viewer who looks along `viewer`. */
export function facingWord(facing: Vec, viewer: Vec): FacingWord {
  return FACING_WORDS[(headingIndex(facing) - headingIndex(viewer) + 4) % 4]!
}

/** The wall a door is on, as seen by a viewer inside; `normal` points from the door into the viewer's room. */
export function wallWord(normal: Vec, viewer: Vec): WallWord {
  return WALL_WORDS[(headingIndex(normal) - headingIndex(viewer) + 4) % 4]!
}
