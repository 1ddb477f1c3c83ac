/** Episodes present in both runs: which run is better, and by how much. */
import type { CompareDetail, Pair } from '../../../../src/server/api.ts'
import type { ScatterFigure, ScatterPoint } from '../../../../src/report/figures/figure.ts'
import { plural } from '../../ui/format.ts'
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

const STEPS = 20

/** Score of A against score of B for every pair, on a grid of 21 × 21: A is better below the diagonal, B above it. */
export function pairFigure({ pairs, unit, better, metricTitle }: PairScores): ScatterFigure | null {
  const scored = pairs.filter(
    ({ a, b }) => a.score !== null && b.score !== null && counts(a.status) && counts(b.status),
  )
  if (scored.length === 0) return null
  let [min, max] = unit === 'percent' ? [0, 1] : [Infinity, -Infinity]
  for (const { a, b } of scored) {
    min = Math.min(min, a.score!, b.score!)
    max = Math.max(max, a.score!, b.score!)
  }
  const step = (max - min || 1) / STEPS
  const round = (score: number): number => min + Math.round((score - min) / step) * step
  const points = new Map<string, Required<ScatterPoint>>()
  for (const { a, b } of scored) {
    const [x, y] = [round(a.score!), round(b.score!)]
    const series = x === y ? 2 : Number(y > x === (better === 'higher'))
    const point = points.get(`${x} ${y}`) ?? { series, x, y, count: 0 }
    point.count += 1
    points.set(`${x} ${y}`, point)
  }
  return {
    kind: 'scatter',
    title: `Scores of A vs. B, ${plural(scored.length, 'pair')}`,
    description: `${metricTitle} of A on the horizontal axis, of B on the vertical one.`,
    series: ['A better', 'B better', 'tied'],
    panels: [
      { title: '', axes: 'A → B ↑', isShare: unit === 'percent', isLogarithmic: false, points: [...points.values()] },
    ],
  }
}

export type PairScores = Pick<CompareDetail, 'pairs' | 'unit' | 'better' | 'metricTitle'>
