/** What the protocol allows: nothing but numbers, for the suite, its players and the page where people play. */
import type { Move } from '../../../world/walk/move.ts'

/** What the prompt tells the model it may ask for, in either direction. */
export const MOVE_LIMITS: Readonly<Move> = { turnDegrees: 90, forwardMeters: 1, leftMeters: 0.5, upMeters: 0.3 }

/** Where the agent may look first, in degrees. */
export const FIRST_ANGLES = [0, 90, 180, 270] as const
