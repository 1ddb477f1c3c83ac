/** Where the agent stands, and how a move changes it. World: z up, metres; a pose's axes are right, down, forward. */
import type { Pose, Vec3 } from '../../../world/render/index.ts'
import type { Bounds } from './bounds.ts'

/** One movement, as asked for: the turn comes first, then the steps along the new heading. */
export interface Move {
  /** Degrees; positive turns left. */
  rotation: number
  forward: number
  /** Metres; positive is to the left. */
  left: number
  /** Metres; positive is up. */
  up: number
}

/** What the prompt tells the model it may ask for. */
export const MOVE_LIMITS: Readonly<Move> = { rotation: 90, forward: 1, left: 0.5, up: 0.3 }

/** Metres kept from the bounds. */
export const SIDE_MARGIN = 0.1
export const HEIGHT_MARGIN = 0.3
export const EYE_HEIGHT = 1.6
export const FIRST_ANGLES = [0, 90, 180, 270] as const
export type FirstAngle = (typeof FIRST_ANGLES)[number]

/**
 * A level pose whose forward is (cos, sin, 0) of the angle in radians, in plain doubles as the published poses are:
 * the renderer's own `fromYawPitch` has exact quarters, which differ in the last bits.
 */
export function facing(position: Vec3, degrees: number): Pose {
  const angle = (degrees * Math.PI) / 180
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  return { position, right: [sin, -cos, 0], down: [0, 0, -1], forward: [cos, sin, 0] }
}

/** Degrees counter-clockwise from +x of where a level pose looks, in (−180, 180]. */
export function headingOf({ forward }: Pose): number {
  return (Math.atan2(forward[1], forward[0]) * 180) / Math.PI
}

/** In the middle of the bounds, at eye height above their floor. */
export function startPosition({ min, max }: Bounds): Vec3 {
  return [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, min[2] + EYE_HEIGHT]
}

/** The pose after the turn alone. */
export function turned(pose: Pose, degrees: number): Pose {
  const angle = (degrees * Math.PI) / 180
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const turn = ([x, y, z]: Vec3): Vec3 => [cos * x - sin * y, sin * x + cos * y, z]
  return { position: pose.position, right: turn(pose.right), down: turn(pose.down), forward: turn(pose.forward) }
}

/** Where the steps of a move lead from a pose that has already turned, in metres. */
export function stepsOf(pose: Pose, { forward, left, up }: Move, sign: 'left' | 'published' = 'left'): Vec3 {
  // The published code adds what it calls left along the camera's right.
  const sideways = sign === 'left' ? -left : left
  const along = (axis: 0 | 1 | 2): number => forward * pose.forward[axis] + sideways * pose.right[axis]
  return [along(0), along(1), along(2) + up]
}

/** Into the bounds, with their margins. Where these cross, the upper one holds, as in NumPy. */
export function clampedTo({ min, max }: Bounds, [x, y, z]: Vec3): Vec3 {
  const clamp = (value: number, axis: 0 | 1 | 2, margin: number): number =>
    Math.min(Math.max(value, min[axis] + margin), max[axis] - margin)
  return [clamp(x, 0, SIDE_MARGIN), clamp(y, 1, SIDE_MARGIN), clamp(z, 2, HEIGHT_MARGIN)]
}

/** The published move: no limits, no walls, left is right, and only the end is brought into the bounds. */
export function upstreamMove(pose: Pose, move: Move, bounds: Bounds): Pose {
  const after = turned(pose, move.rotation)
  const [dx, dy, dz] = stepsOf(after, move, 'published')
  const [x, y, z] = pose.position
  return { ...after, position: clampedTo(bounds, [x + dx, y + dy, z + dz]) }
}

/** A move brought into what the prompt allows, and whether it had to be. */
export function limitedMove(asked: Move): { move: Move; limited: boolean } {
  const clamp = (value: number, limit: number): number => Math.min(Math.max(value, -limit), limit)
  const move = {
    rotation: clamp(asked.rotation, MOVE_LIMITS.rotation),
    forward: clamp(asked.forward, MOVE_LIMITS.forward),
    left: clamp(asked.left, MOVE_LIMITS.left),
    up: clamp(asked.up, MOVE_LIMITS.up),
  }
  const limited =
    move.rotation !== asked.rotation ||
    move.forward !== asked.forward ||
    move.left !== asked.left ||
    move.up !== asked.up
  return { move, limited }
}
