import type { Bounds } from '../geometry/bounds.ts'
import { sinCosDegrees } from '../render/angles.ts'
import type { Pose, Vec3 } from '../render/camera.ts'

/** A movement as it is asked for: first the turn, then the way in the new direction. */
export interface Move {
  /** Counterclockwise seen from above: positive turns left. */
  turnDegrees: number
  forwardMeters: number
  leftMeters: number
  upMeters: number
}

export const NO_MOVE: Move = { turnDegrees: 0, forwardMeters: 0, leftMeters: 0, upMeters: 0 }

/** How far a position stays from the ends of the bounds, in meters. */
export interface Margins {
  /** In x and y. Default 0.1. */
  side?: number
  /** In z. Default 0.3. */
  vertical?: number
}

/** Turns a pose about the vertical through it. Pitch and roll do not change. */
export function turnPose(pose: Pose, degrees: number): Pose {
  const { sin, cos } = sinCosDegrees(degrees)
  const turn = ([x, y, z]: Vec3): Vec3 => [cos * x - sin * y, sin * x + cos * y, z]
  return { position: pose.position, right: turn(pose.right), down: turn(pose.down), forward: turn(pose.forward) }
}

/** The level directions of a pose, from its right hand, so that they hold for a camera that looks down, too. */
export function levelAxes({ right }: Pose): { ahead: readonly [number, number]; left: readonly [number, number] } {
  const length = Math.hypot(right[0], right[1]) || 1
  const [x, y] = [right[0] / length, right[1] / length]
  return { ahead: [0 - y, x], left: [0 - x, 0 - y] }
}

/** Into the bounds less their margins. Where the margins leave nothing, the upper end counts. */
export function clampToBounds(
  position: Vec3,
  { min, max }: Bounds,
  { side = 0.1, vertical = 0.3 }: Margins = {},
): Vec3 {
  const clamp = (value: number, axis: 0 | 1 | 2, margin: number) =>
    Math.min(Math.max(value, min[axis] + margin), max[axis] - margin)
  return [clamp(position[0], 0, side), clamp(position[1], 1, side), clamp(position[2], 2, vertical)]
}

/**
 * Moves through anything, held back only by the bounds: turn, then go along the camera's own axes. `mirrorLeft` goes
 * right where left is asked for, as the published agent did.
 */
export function moveThroughAll(
  pose: Pose,
  move: Move,
  bounds?: Bounds,
  { mirrorLeft = false, margins = {} }: { mirrorLeft?: boolean; margins?: Margins } = {},
): Pose {
  const turned = turnPose(pose, move.turnDegrees)
  const { forward, right } = turned
  const left = mirrorLeft ? move.leftMeters : -move.leftMeters
  const along = (axis: 0 | 1 | 2) => pose.position[axis] + move.forwardMeters * forward[axis] + left * right[axis]
  const target: Vec3 = [along(0), along(1), along(2) + move.upMeters]
  return { ...turned, position: bounds ? clampToBounds(target, bounds, margins) : target }
}
