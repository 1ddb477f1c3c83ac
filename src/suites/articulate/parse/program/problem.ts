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
  lines: 2_000,
  tokens: 40_000,
  /** Brackets in brackets, blocks in blocks, operators in operators. */
  depth: 60,
  steps: 200_000,
  calls: 40,
  /** Items of one list or dictionary. */
  items: 10_000,
  /** Characters of one text. */
  text: 20_000,
  /** Items and characters made in all. */
  cells: 400_000,
  /** Bodies looked at by geometric questions; each is a walk over a part's points. */
  geometry: 15_000,
} as const
