/** Episodes present in both runs: which run is better, and by how much. */
import type { CompareDetail, Pair } from '../../../../src/server/api.ts'
import { counts } from '../../../../src/store/records.ts'

export type Outcome = 'a' | 'b' | 'equal' | 'none'

/** Smaller differences are rounding errors. */
const ROUNDING = 1e-9

/** The better run; `none` when a score is missing. */
export function outcomeOf({ a, b }: Pair, better: CompareDetail['better']): Outcome {
  if (a.score === null || b.score === null) return 'none'
  const difference = b.score - a.score
  if (Math.abs(difference) < ROUNDING) return 'equal'
  return difference > 0 === (better === 'higher') ? 'b' : 'a'
}

export function differenceOf({ a, b }: Pair): number | null {
  return a.score === null || b.score === null ? null : b.score - a.score
}

/** Whether either episode failed. */
export function hasFailure({ a, b }: Pair): boolean {
  return a.status !== 'answered' || b.status !== 'answered'
}

export type Only = 'all' | Outcome | 'failed'

export interface PairQuery {
  only: Only
  text: string
  labels: Readonly<Record<string, readonly string[]>>
  sort: { key: PairSortKey; descending: boolean }
}

export const PAIR_SORT_KEYS = ['disagreement', 'difference', 'sample', 'a', 'b'] as const
export type PairSortKey = (typeof PAIR_SORT_KEYS)[number]

/** Indices in `pairs` of the matching pairs, in order. */
export function filterPairs({ pairs, better }: Pick<CompareDetail, 'pairs' | 'better'>, query: PairQuery): number[] {
  const text = query.text.trim().toLowerCase()
  const labels = Object.entries(query.labels).filter(([, wanted]) => wanted.length > 0)
  const found: number[] = []
  for (const [i, pair] of pairs.entries()) {
    if (query.only === 'failed' ? !hasFailure(pair) : query.only !== 'all' && outcomeOf(pair, better) !== query.only)
      continue
    if (labels.some(([name, wanted]) => !wanted.includes(pair.labels[name] ?? ''))) continue
    if (text !== '' && !pair.sample.toLowerCase().includes(text)) continue
    found.push(i)
  }
  const { key, descending } = query.sort
  // Already sorted by the server.
  if (key === 'disagreement') return descending ? found : found.reverse()
  const sign = descending ? -1 : 1
  if (key === 'sample') return found.sort((x, y) => (pairs[x]!.sample < pairs[y]!.sample ? -sign : sign))
  const value = (i: number): number | null => (key === 'difference' ? differenceOf(pairs[i]!) : pairs[i]![key].score)
  return found.sort((x, y) => {
    const [left, right] = [value(x), value(y)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return (left - right) * sign || x - y
  })
}

export interface Tally {
  all: number
  a: number
  b: number
  equal: number
  none: number
  failed: number
}

export function tallyOf({ pairs, better }: Pick<CompareDetail, 'pairs' | 'better'>): Tally {
  const tally: Tally = { all: pairs.length, a: 0, b: 0, equal: 0, none: 0, failed: 0 }
  for (const pair of pairs) {
    tally[outcomeOf(pair, better)] += 1
    if (hasFailure(pair)) tally.failed += 1
  }
  return tally
}

/** Pairs with similar scores, drawn as one bubble. */
export interface Bubble {
  a: number
  b: number
  count: number
}

export interface BubbleChart {
  min: number
  max: number
  bubbles: readonly Bubble[]
  most: number
}

const STEPS = 20

/** Bins pairs on a 21 × 21 grid. */
export function bubblesOf(pairs: readonly Pair[], unit: CompareDetail['unit']): BubbleChart | null {
  let min = unit === 'percent' ? 0 : Infinity
  let max = unit === 'percent' ? 1 : -Infinity
  const scored = pairs.filter(
    ({ a, b }) => a.score !== null && b.score !== null && counts(a.status) && counts(b.status),
  )
  for (const { a, b } of scored) {
    min = Math.min(min, a.score!, b.score!)
    max = Math.max(max, a.score!, b.score!)
  }
  if (scored.length === 0) return null
  if (max === min) max = min + 1
  const step = (max - min) / STEPS
  const cells = new Map<number, Bubble>()
  for (const { a, b } of scored) {
    const x = Math.round((a.score! - min) / step)
    const y = Math.round((b.score! - min) / step)
    const key = x * (STEPS + 1) + y
    const bubble = cells.get(key) ?? { a: min + x * step, b: min + y * step, count: 0 }
    bubble.count += 1
    cells.set(key, bubble)
  }
  // Large bubbles first, to keep small ones on top.
  const bubbles = [...cells.values()].sort((one, two) => two.count - one.count)
  return { min, max, bubbles, most: bubbles[0]!.count }
}
