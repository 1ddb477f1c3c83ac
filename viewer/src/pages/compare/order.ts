/** The pairs as they were last listed, so that one can go from one to the next without going back to the list. */
import type { CompareDetail, Pair } from '../../../../src/server/api.ts'

let kept: { a: string; b: string; pairs: readonly Pair[] } | null = null

export function keepOrder({ a, b, pairs }: CompareDetail, rows: readonly number[]): void {
  kept = { a: a.id, b: b.id, pairs: rows.map((row) => pairs[row]!) }
}

export interface Neighbours {
  /** Place in the list, counted from 1. */
  place: number
  of: number
  previous: Pair | null
  next: Pair | null
}

/** `null` when the pair was not opened from a list. */
export function neighboursOf(a: string, b: string, indexA: number, epoch: number): Neighbours | null {
  if (kept?.a !== a || kept.b !== b) return null
  const { pairs } = kept
  const at = pairs.findIndex((pair) => pair.a.index === indexA && pair.epoch === epoch)
  if (at < 0) return null
  return { place: at + 1, of: pairs.length, previous: pairs[at - 1] ?? null, next: pairs[at + 1] ?? null }
}
