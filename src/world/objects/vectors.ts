/** Flat normals and placements: the little geometry that the shapes need. */
import { compose, type Frame } from '../frames.ts'
import { unit, type Vec3 } from '../vector.ts'
import { turnOf } from '../trig.ts'

export interface Turn {
  /** Degrees about z, then y (positive tips +z toward +x), then x. */
  yaw?: number
  pitch?: number
  roll?: number
}

/** Profiles that bend more than this (cosine) get a hard edge. */
const CREASE = 0.6

/** Right-hand normal of a step in the plane: outwards for a counterclockwise outline or a rising profile. */
export function segmentNormal(
  from: readonly [number, number],
  to: readonly [number, number],
): readonly [number, number] {
  const x = to[1] - from[1]
  const y = from[0] - to[0]
  const length = Math.sqrt(x * x + y * y) || 1
  return [x / length, y / length]
}

export function blended(
  own: readonly [number, number],
  other: readonly [number, number] | undefined,
): readonly [number, number] {
  if (!other || own[0] * other[0] + own[1] * other[1] < CREASE) return own
  const x = own[0] + other[0]
  const y = own[1] + other[1]
  const length = Math.sqrt(x * x + y * y)
  return [x / length, y / length]
}

export function distance2(a: readonly [number, number], b: readonly [number, number]): number {
  return Math.sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]))
}

/** Of length 1; nothing points up. */
export function direction(v: Vec3): Vec3 {
  return unit(v, [0, 0, 1])
}

export function placement(origin: Vec3, { yaw = 0, pitch = 0, roll = 0 }: Turn): Frame {
  const [cy, sy] = turnOf(yaw)
  const [cp, sp] = turnOf(pitch)
  const [cr, sr] = turnOf(roll)
  const yawed = [cy, -sy, 0, origin[0], sy, cy, 0, origin[1], 0, 0, 1, origin[2]]
  const pitched = [cp, 0, sp, 0, 0, 1, 0, 0, -sp, 0, cp, 0]
  const rolled = [1, 0, 0, 0, 0, cr, -sr, 0, 0, sr, cr, 0]
  return compose(compose(yawed, pitched), rolled)
}
