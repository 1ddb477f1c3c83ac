/** The agent's start pose and move limits. World: z up, meters; turns are counterclockwise. */
import type { Move, Pose, Vec3 } from '../../../world.ts'
import type { Bounds } from './bounds.ts'
import { MOVE_LIMITS } from './protocol.ts'

export const EYE_HEIGHT = 1.6

/** The agent's camera: a field of view of 93.7° by 77.3°. */
export const VIEW = { width: 640, height: 480, focal: 300, near: 0.1 } as const

/** Heading of a pose in degrees counterclockwise from +x, in (−180, 180]. */
export function headingOf({ forward }: Pose): number {
  return (Math.atan2(forward[1], forward[0]) * 180) / Math.PI
}

/** The center of the bounds at eye height; it may be inside furniture. */
export function startPosition({ min, max }: Bounds): Vec3 {
  return [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, min[2] + EYE_HEIGHT]
}

/** Clamps a move to the limits stated in the prompt, and reports whether it had to. */
export function clampMove(asked: Move): { move: Move; limited: boolean } {
  const clamp = (value: number, limit: number): number => Math.min(Math.max(value, -limit), limit)
  const move = {
    turnDegrees: clamp(asked.turnDegrees, MOVE_LIMITS.turnDegrees),
    forwardMeters: clamp(asked.forwardMeters, MOVE_LIMITS.forwardMeters),
    leftMeters: clamp(asked.leftMeters, MOVE_LIMITS.leftMeters),
    upMeters: clamp(asked.upMeters, MOVE_LIMITS.upMeters),
  }
  const limited =
    move.turnDegrees !== asked.turnDegrees ||
    move.forwardMeters !== asked.forwardMeters ||
    move.leftMeters !== asked.leftMeters ||
    move.upMeters !== asked.upMeters
  return { move, limited }
}
