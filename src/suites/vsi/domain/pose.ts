/** The agent's start pose and move limits. World: z up, meters; turns are counterclockwise. */
import type { Move, Pose, Vec3 } from '../../../world.ts'
import type { Bounds } from './bounds.ts'
import { MOVE_LIMITS } from './protocol.ts'

/** Heading of a pose in degrees counterclockwise from +x, in (−180, 180]. */
export function headingOf({ forward }: Pose): number {
  return (Math.atan2(forward[1], forward[0]) * 180) / Math.PI
}

/** The center of the bounds at eye height; it may be inside furniture. */
export function startPosition({ min, max }: Bounds, eyeMeters: number): Vec3 {
  return [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, min[2] + eyeMeters]
}

/** Room that is left between the camera and the ceiling, in meters. */
const BELOW_CEILING = 0.3

/** Where the agent starts: at eye height, where a body fits. */
export function startOf(
  { bounds: { min, max }, start: [x, y] }: { bounds: Bounds; start: readonly [number, number] },
  { eyeMeters }: { eyeMeters: number },
): Vec3 {
  return [x, y, Math.min(min[2] + eyeMeters, max[2] - BELOW_CEILING)]
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
