/** Why a candidate function cannot be read or run: fed back to the model as it is. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError'
  readonly line: number
  readonly reason: string

  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`)
    this.line = line
    this.reason = reason
  }
}

/** What a program may use up. Counted, not timed: the same program ends at the same place on every machine. */
export const LIMITS = {
  characters: 200_000,
  lines: 4_000,
  tokens: 30_000,
  /** Brackets in brackets, blocks in blocks, operators in operators. */
  depth: 80,
  /** f-strings in f-strings. */
  formats: 5,
  steps: 500_000,
  /** Calls in calls; CPython stops at 1,000. */
  calls: 120,
  /** Calls and nested expressions together: what the host's stack has to hold. */
  nesting: 900,
  /** Items of one list, dictionary or array. */
  items: 100_000,
  /** Characters of one text. */
  text: 100_000,
  /** Bits of one integer. */
  bits: 16_384,
  /** Items and characters made in all. */
  cells: 2_000_000,
  /** Bodies looked at by geometric questions; each is a walk over a part's points. */
  geometry: 15_000,
} as const
