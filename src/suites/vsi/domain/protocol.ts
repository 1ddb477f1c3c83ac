/** Constants of the protocol, shared by the suite and the viewer's play page. */

/** Published evaluators and agents whose results a run can be compared with. */
export const PROFILES = ['official', 'lmms-eval', 'lmms-eval@2026-06', 'vlmevalkit', 'upstream'] as const
export type Profile = (typeof PROFILES)[number]

/** How a suite shows the scene. */
export type Mode = 'explore' | 'video' | 'blind'

/** JSON keys of a move. */
export const MOVE_KEYS = ['rotation_angle_degrees', 'forward_meters', 'left_meters', 'z_delta_meters'] as const

/** Limits of a move in either direction, as stated in the prompt. */
export const MOVE_LIMITS = { turnDegrees: 90, forwardMeters: 1, leftMeters: 0.5, upMeters: 0.3 } as const

/** Angles of the four first views, in degrees. */
export const FIRST_ANGLES = [0, 90, 180, 270] as const

/** The paper's prompts that make a model reason before it answers. */
export const REASONED = ['cot', 'self-consistency', 'tree-of-thoughts'] as const
export type Reasoned = (typeof REASONED)[number]
