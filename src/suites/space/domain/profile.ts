/**
 * Profiles of Theory of Space, the default first. `upstream` behaves like the published code, bugs included, for
 * comparison with published numbers; `fixed` repairs them (docs/deviations.md, "Theory of Space").
 */
export const PROFILES = ['fixed', 'upstream'] as const

export type Profile = (typeof PROFILES)[number]
