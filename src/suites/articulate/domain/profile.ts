/**
 * Two ways of building and scoring moving things. `upstream` behaves as the published code does, its flaws included;
 * `fixed` repairs them (docs/deviations.md, "Articulate").
 */
export const PROFILES = ['fixed', 'upstream'] as const
export type Profile = (typeof PROFILES)[number]
