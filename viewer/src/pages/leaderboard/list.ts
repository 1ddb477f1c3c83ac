/** Filters and sorts the run list. */
import type { RunRow } from '../../../../src/server/api.ts'

export interface ListQuery {
  suites: readonly string[]
  players: readonly string[]
  states: readonly string[]
  text: string
  sort: { key: SortKey; descending: boolean }
}

const VALUES = {
  created: (run: RunRow) => run.created,
  player: (run: RunRow) => run.player,
  suite: (run: RunRow) => run.suite,
  score: (run: RunRow) => run.headline?.value ?? null,
  episodes: (run: RunRow) => run.finished,
  coverage: (run: RunRow) => run.coverage,
  cost: (run: RunRow) => run.usd,
  state: (run: RunRow) => run.state,
  profile: (run: RunRow) => run.profile,
  source: (run: RunRow) => run.source,
} as const

export type SortKey = keyof typeof VALUES

export function isSortKey(key: string): key is SortKey {
  return Object.hasOwn(VALUES, key)
}

export function filterRuns(runs: readonly RunRow[], query: ListQuery): RunRow[] {
  const words = query.text.toLowerCase().split(/\s+/).filter(Boolean)
  const wanted = (chosen: readonly string[], value: string): boolean => chosen.length === 0 || chosen.includes(value)
  const found = runs.filter((run) => {
    if (!wanted(query.suites, run.suite) || !wanted(query.players, run.player) || !wanted(query.states, run.state))
      return false
    if (words.length === 0) return true
    const text = `${run.id} ${run.suite} ${run.suiteTitle} ${run.player} ${run.profile} ${run.source}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const value = VALUES[query.sort.key]
  const sign = query.sort.descending ? -1 : 1
  return found.sort((a, b) => {
    const [left, right] = [value(a), value(b)]
    // Missing values come last in both directions.
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return left < right ? -sign : left > right ? sign : a.created < b.created ? 1 : -1
  })
}
