/** Which samples of the built-in suites are audited: enough for intervals of a few points, in minutes. */
import { familyOf } from '../../src/library/suites.ts'

/** Not the default seed: the numbers must hold for scenes that nothing was tuned on. */
export const AUDIT_SEED = 577_216

interface Audited {
  source?: string
  /** Samples that the perfect eye plays: it makes few mistakes, so fewer tell as much. */
  ceiling: number
}

const FAMILIES: Readonly<Record<string, Audited>> = {
  space: { source: 'builtin:scenes=400', ceiling: 60 },
  articulate: { source: 'builtin:objects=360', ceiling: 108 },
  vsi: { source: 'builtin:scenes=160,questions=6', ceiling: 120 },
  vsig: { source: 'builtin:clips=300', ceiling: 120 },
}

export function auditedSamples(suite: string): Audited {
  return FAMILIES[familyOf(suite)] ?? { ceiling: 200 }
}

/** Whether a suite is chosen by its name or its family; all are, where none is named. */
export function isChosen(suite: string, names: readonly string[]): boolean {
  return names.length === 0 || names.includes(suite) || names.includes(familyOf(suite))
}
