/**
 * Two ways of playing and scoring Theory of Space, the default first. `upstream` behaves as the published code does, its
 * flaws included, so that published numbers can be compared; `fixed` repairs them (docs/deviations.md, "Theory of Space").
 */
export const PROFILES = ['fixed', 'upstream'] as const

export type Profile = (typeof PROFILES)[number]
