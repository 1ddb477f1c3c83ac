/** Compares an answer with the ground truth slot by slot, deterministically and without a judge. */
import { type Convention, CONVENTIONS, toThousand } from './coords.ts'
import { intentSimilarity } from './intent.ts'
import { type Size, targetHit } from './mask.ts'
import { meanOf, type Point } from './points.ts'
import type { PredictedPoint, Prediction } from './prediction.ts'
import type { SlotKind } from './templates.ts'
import type { Truth, TruthSlot } from './truth.ts'
import { overlap } from './windows.ts'

/** Maximum distance from an area's center, in units of 0…1000: at 1920 × 1080, 96 pixels across and 54 down. */
export const AREA_UNITS = 50
/** The threshold of later published scorers, in pixels. */
const AREA_PIXELS = 100

export interface ComparedSlot {
  kind: SlotKind
  /** The point in 0…1000, x first; null if there is none. */
  point: Point | null
  spatial: boolean
  /** Null if the slot has no window. */
  temporal: boolean | null
  /** The answered moment (or the middle of the answered range), in milliseconds. */
  moment: number | null
  /** How far the moment is outside its window: negative before it, 0 inside. */
  errorMs: number | null
  overlap: number | null
  /** Areas: whether the point counts by the published rule, near the annotated points. */
  near: boolean | null
  /** Areas: distance in pixels to the mean of the annotated points, and to their hull. */
  pixels: number | null
  hullPixels: number | null
}

export interface Comparison {
  intent: number
  slots: ComparedSlot[]
  /** Number of hits if points had been written in each coordinate convention. */
  conventions: Record<Convention, number>
  /** Number of hits with the best pairing of points and slots, instead of by order. */
  bestPairing: number
}

export function compareWithTruth(
  truth: Truth,
  prediction: Prediction | null,
  how: { convention: Convention; shown: Size; tolerance: number },
): Comparison {
  const points = prediction?.points ?? []
  const { slots, frame } = truth
  const at = (i: number, convention: Convention): Point | null => {
    const written = points[i]?.point
    return written ? toThousand(written, convention, how.shown) : null
  }
  const hits = (convention: Convention): number =>
    slots.reduce((sum, slot, i) => sum + Number(isHit(slot, at(i, convention))), 0)
  const scored = slots.map((slot, i) => compareSlot(slot, points[i], at(i, how.convention), frame, how.tolerance))
  const known = (slot: number, point: number): boolean =>
    slot === point ? scored[slot]!.spatial : isHit(slots[slot]!, at(point, how.convention))
  const own = scored.reduce((sum, { spatial }) => sum + Number(spatial), 0)
  const conventions = Object.fromEntries(
    CONVENTIONS.map((name) => [name, name === how.convention ? own : hits(name)]),
  ) as Record<Convention, number>
  const descriptions = points.map(({ description }) => description)
  return {
    intent: prediction ? (intentSimilarity(slots, descriptions, prediction.command) ?? 0) : 0,
    slots: scored,
    conventions,
    bestPairing: own === slots.length ? own : bestPairing(slots.length, points.length, known),
  }
}

/** Objects are hit by mask and areas by region; by distance if they have none. */
export function isHit(slot: TruthSlot, point: Point | null): boolean {
  if (!point) return false
  if (slot.target) return targetHit(slot.target, point)
  return isNearPoints(slot, point)
}

/** The published rule for areas. */
function isNearPoints({ points }: TruthSlot, point: Point): boolean {
  if (points.length === 0) return false
  const [x, y] = meanOf(points)
  return Math.hypot(point[0] - x, point[1] - y) < AREA_UNITS
}

function compareSlot(
  slot: TruthSlot,
  predicted: PredictedPoint | undefined,
  point: Point | null,
  frame: Size,
  tolerance: number,
): ComparedSlot {
  const window = slot.window.kind === 'window' ? slot.window.window : null
  const time = predicted?.time ?? null
  const moment = time === null ? null : typeof time === 'number' ? time : (time[0] + time[1]) / 2
  const errorMs =
    window && moment !== null
      ? moment < window[0]
        ? moment - window[0]
        : moment > window[1]
          ? moment - window[1]
          : 0
      : null
  const isArea = slot.kind === 'area' && point !== null && slot.points.length > 0
  return {
    kind: slot.kind,
    point,
    spatial: isHit(slot, point),
    temporal: window && errorMs !== null && Math.abs(errorMs) <= tolerance,
    moment,
    errorMs,
    overlap: window && time !== null && typeof time !== 'number' ? overlap(time, window) : null,
    near: slot.kind === 'area' ? point !== null && isNearPoints(slot, point) : null,
    pixels: isArea ? pixelsBetween(point, meanOf(slot.points), frame) : null,
    hullPixels: isArea ? pixelsToHull(point, slot.points, frame) : null,
  }
}

export function isWithinPixels(pixels: number): boolean {
  return pixels < AREA_PIXELS
}

function pixelsBetween(a: Point, b: Point, { width, height }: Size): number {
  return Math.hypot(((a[0] - b[0]) * width) / 1000, ((a[1] - b[1]) * height) / 1000)
}

/** 0 inside a triangle of any three points; else the distance to the nearest edge between any two of them. */
function pixelsToHull(point: Point, points: readonly Point[], { width, height }: Size): number {
  const scaled = points.map(([x, y]): Point => [(x * width) / 1000, (y * height) / 1000])
  const p: Point = [(point[0] * width) / 1000, (point[1] * height) / 1000]
  let nearest = Infinity
  for (const [i, a] of scaled.entries()) {
    for (const b of scaled.slice(i)) nearest = Math.min(nearest, distanceToSegment(p, a, b))
    for (const b of scaled.slice(i + 1)) {
      for (const c of scaled.slice(scaled.indexOf(b) + 1)) if (isInTriangle(p, a, b, c)) return 0
    }
  }
  return nearest
}

function distanceToSegment(p: Point, a: Point, b: Point): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
  const length = dx * dx + dy * dy
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length))
  return Math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)
}

function isInTriangle(p: Point, a: Point, b: Point, c: Point): boolean {
  const side = (u: Point, v: Point): number => (v[0] - u[0]) * (p[1] - u[1]) - (v[1] - u[1]) * (p[0] - u[0])
  const [ab, bc, ca] = [side(a, b), side(b, c), side(c, a)]
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0)
}

/** Tries every pairing; there are at most four slots, and only the first eight points are tried. */
function bestPairing(slots: number, points: number, isHitBy: (slot: number, point: number) => boolean): number {
  const few = Math.min(points, 8)
  const hits = Array.from({ length: slots }, (_, slot) =>
    Array.from({ length: few }, (__, point) => isHitBy(slot, point)),
  )
  const best = (slot: number, used: number): number => {
    if (slot === slots) return 0
    let most = best(slot + 1, used)
    for (const [i, hit] of hits[slot]!.entries()) {
      if (hit && (used & (1 << i)) === 0) most = Math.max(most, 1 + best(slot + 1, used | (1 << i)))
    }
    return most
  }
  return best(0, 0)
}
