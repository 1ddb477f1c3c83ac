/**
 * Two ways of playing and scoring Theory of Space. `upstream` behaves as the published code does, its flaws included, so
 * that published numbers can be compared; `fixed` repairs them (docs/deviations.md, "Theory of Space").
 */
export type Profile = 'upstream' | 'fixed'

export const PROFILES: readonly Profile[] = ['upstream', 'fixed']
