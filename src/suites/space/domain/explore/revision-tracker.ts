/** Tracks what has been seen again since the scene changed, and at what cost. */
import type { ExplorationState, Turn } from './exploration.ts'

/**
 * Names seen for the first time in the revision phase. The published environment also counts the view before the phase
 * if the first turn is not an Observe; `startRevision` clears that view in profile `fixed`.
 */
export class RevisionTracker {
  readonly #changed: ReadonlySet<string>
  readonly #seen = new Set<string>()
  #costWhenAllSeen: number | undefined

  constructor(changed: Iterable<string>) {
    this.#changed = new Set(changed)
  }

  /** Records a turn and the state after it; returns newly seen names, sorted. */
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

  /** Cost spent after all changed objects had been seen; undefined until then. */
  redundantCost(state: ExplorationState): number | undefined {
    return this.#costWhenAllSeen === undefined ? undefined : state.cost - this.#costWhenAllSeen
  }
}
