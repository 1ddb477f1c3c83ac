/** What has been looked at again since the scene changed, and what it cost. */
import type { ExplorationState, Turn } from './exploration.ts'

/**
 * Names that come into view for the first time in the false-belief phase. The published environment also counts the view
 * before the phase when the first turn is not an Observe; `startRevision` clears that view in profile `fixed`.
 */
export class RevisionTracker {
  readonly #changed: ReadonlySet<string>
  readonly #seen = new Set<string>()
  #costWhenAllSeen: number | undefined

  constructor(changed: Iterable<string>) {
    this.#changed = new Set(changed)
  }

  /** Takes in a turn and the state after it; gives what is newly seen, sorted by name. */
  record(turn: Turn, after: ExplorationState): { changed: string[]; unchanged: string[] } {
    const fresh = turn.valid ? after.lastVisible.filter((name) => !this.#seen.has(name)).toSorted() : []
    for (const name of fresh) this.#seen.add(name)
    if (this.#costWhenAllSeen === undefined && [...this.#changed].every((name) => this.#seen.has(name))) {
      this.#costWhenAllSeen = after.cost
    }
    return {
      changed: fresh.filter((name) => this.#changed.has(name)),
      unchanged: fresh.filter((name) => !this.#changed.has(name)),
    }
  }

  /** What was spent after every changed object had been seen; undefined while one has not. */
  redundantCost(state: ExplorationState): number | undefined {
    return this.#costWhenAllSeen === undefined ? undefined : state.cost - this.#costWhenAllSeen
  }
}
