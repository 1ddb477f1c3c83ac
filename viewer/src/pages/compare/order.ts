/** The last listed order of pairs, for stepping through them without going back to the list. */
import type { CompareDetail, Pair } from '../../../../src/server/api.ts'

let remembered: { a: string; b: string; pairs: readonly Pair[] } | null = null

export function rememberOrder({ a, b, pairs }: CompareDetail, rows: readonly number[]): void {
  remembered = { a: a.id, b: b.id, pairs: rows.map((row) => pairs[row]!) }
}

export interface PairNeighbors {
  /** Position in the list, starting at 1. */
  position: number
  of: number
  previous: Pair | null
  next: Pair | null
}

/** `null` when the pair was not opened from a list. */
export function pairNeighbors(a: string, b: string, indexA: number, epoch: number): PairNeighbors | null {
  if (remembered?.a !== a || remembered.b !== b) return null
  const { pairs } = remembered
  const at = pairs.findIndex((pair) => pair.a.index === indexA && pair.epoch === epoch)
  if (at < 0) return null
  return { position: at + 1, of: pairs.length, previous: pairs[at - 1] ?? null, next: pairs[at + 1] ?? null }
}
