/** What the protocol knows and allows: nothing but words and numbers, for the suite and the page where people play. */

/** Evaluators and agents that were published, whose results a run can be compared with. */
export const PROFILES = ['official', 'lmms-eval', 'vlmevalkit', 'upstream'] as const
export type Profile = (typeof PROFILES)[number]

/** How a suite shows the scene. */
export type Mode = 'explore' | 'video' | 'blind'

/** What a reply says about a move. */
export const MOVE_KEYS = ['rotation_angle_degrees', 'forward_meters', 'left_meters', 'z_delta_meters'] as const

/** What the prompt tells the model it may ask for, in either direction. */
export const MOVE_LIMITS = { turnDegrees: 90, forwardMeters: 1, leftMeters: 0.5, upMeters: 0.3 } as const

/** Where the agent may look first, in degrees. */
export const FIRST_ANGLES = [0, 90, 180, 270] as const
