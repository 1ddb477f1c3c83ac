/** Keeps as many examples of each type and level as of the others. */

/** Labels that say of which kind a sample is. */
const KINDS = ['type', 'level'] as const
/** How far a kind may be ahead of the rarest. */
const RATIO = 1.25
const HEAD_START = 2

export function kindOf(labels: Readonly<Record<string, string>>): string {
  return KINDS.flatMap((name) => labels[name] ?? []).join(', ') || 'all'
}

export class Balance {
  readonly #taken: Map<string, number>

  /** @param taken as `taken` was when the samples that follow were still to come */
  constructor(taken: Readonly<Record<string, number>> = {}) {
    this.#taken = new Map(Object.entries(taken))
  }

  /** How many of each kind were taken so far. */
  get taken(): Record<string, number> {
    return Object.fromEntries(this.#taken)
  }

  /** Whether to use a sample, which then counts. Depends only on the samples before it. */
  takes(labels: Readonly<Record<string, string>>): boolean {
    const kind = kindOf(labels)
    const before = this.#taken.get(kind) ?? 0
    this.#taken.set(kind, before)
    const rarest = Math.min(...this.#taken.values())
    if (before >= HEAD_START + RATIO * rarest) return false
    this.#taken.set(kind, before + 1)
    return true
  }
}
