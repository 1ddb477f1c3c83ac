/** Where the agent starts, and what it may ask for. World: z up, metres; turns are counter-clockwise. */
import type { Move, Pose, Vec3 } from '../../../world.ts'
import type { Bounds } from './bounds.ts'
import { MOVE_LIMITS } from './protocol.ts'

export const EYE_HEIGHT = 1.6

/** The picture that the agent sees: 93.7° by 77.3°. */
export const VIEW = { width: 640, height: 480, focal: 300, near: 0.1 } as const

/** Degrees counter-clockwise from +x of where a pose looks, in (−180, 180]. */
export function headingOf({ forward }: Pose): number {
  return (Math.atan2(forward[1], forward[0]) * 180) / Math.PI
}

/** In the middle of the bounds, at eye height above their floor; it may be inside of furniture. */
export function startPosition({ min, max }: Bounds): Vec3 {
  return [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, min[2] + EYE_HEIGHT]
}

/** A move brought into what the prompt allows, and whether it had to be. */
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
