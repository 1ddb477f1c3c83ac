/** Which samples of the built-in suites are audited: enough for intervals of a few points, in minutes. */
import { familyOf } from '../../src/library/suites.ts'

/** Not the default seed: the numbers must hold for scenes that nothing was tuned on. */
export const AUDIT_SEED = 577_216
/** What changes because of such numbers is measured on other scenes. */
const NEXT_SEED = 223_606

interface Audited {
  seed: number
  source?: string
  /** Samples that the perfect eye plays: it makes few mistakes, so fewer tell as much. */
  ceiling: number
}

const FAMILIES: Readonly<Record<string, Partial<Audited> & Pick<Audited, 'ceiling'>>> = {
  space: { source: 'builtin:scenes=400', ceiling: 60 },
  articulate: { source: 'builtin:objects=360', ceiling: 108 },
  vsi: { seed: NEXT_SEED, source: 'builtin:scenes=700,questions=6', ceiling: 200 },
  vsig: { source: 'builtin:clips=300', ceiling: 120 },
}

export function auditedSamples(suite: string): Audited {
  return { seed: AUDIT_SEED, ceiling: 200, ...FAMILIES[familyOf(suite)] }
}

/** Whether a suite is chosen by its name or its family; all are, where none is named. */
export function isChosen(suite: string, names: readonly string[]): boolean {
  return names.length === 0 || names.includes(suite) || names.includes(familyOf(suite))
}
