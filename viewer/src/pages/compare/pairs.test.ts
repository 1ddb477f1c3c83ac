import { describe, expect, it } from 'vitest'
import type { Pair } from '../../../../src/server/api.ts'
import type { Status } from '../../../../src/store/records.ts'
import { filterPairs, outcomeOf, pairFigure, type PairQuery, tallyOf } from './pairs.ts'

function pair(id: string, a: number | null, b: number | null, status: Status = 'answered'): Pair {
  return {
    sample: id,
    epoch: 1,
    labels: { type: id.split('-')[0]! },
    a: { index: 0, score: a, status: 'answered' },
    b: { index: 0, score: b, status },
  }
}

/** As sent by the server: largest difference first. */
const PAIRS = [
  pair('size-1', 0, 1),
  pair('count-2', 1, 0, 'parse_failed'),
  pair('size-3', 0.2, 0.5),
  pair('size-4', 0.5, 0.5),
  pair('count-5', null, 0.4),
]
const ALL: PairQuery = { only: 'all', text: '', labels: {}, sort: { key: 'disagreement', descending: true } }

describe('pairs of episodes', () => {
  it('determines the better run, also when lower is better', () => {
    expect(PAIRS.map((each) => outcomeOf(each, 'higher'))).toEqual(['b', 'a', 'b', 'equal', 'none'])
    expect(PAIRS.map((each) => outcomeOf(each, 'lower'))).toEqual(['a', 'b', 'a', 'equal', 'none'])
    expect(tallyOf({ pairs: PAIRS, better: 'higher' })).toEqual({ all: 5, a: 1, b: 2, equal: 1, none: 1, failed: 1 })
  })

  it.each<[string, Partial<PairQuery>, number[]]>([
    ['all, largest difference first', {}, [0, 1, 2, 3, 4]],
    ['pairs where A is better', { only: 'a' }, [1]],
    ['pairs where B is better', { only: 'b' }, [0, 2]],
    ['pairs with a failure', { only: 'failed' }, [1]],
    ['pairs with a label', { labels: { type: ['count'] } }, [1, 4]],
    ['pairs whose sample matches a text', { text: 'SIZE' }, [0, 2, 3]],
    ['by signed difference, missing values last', { sort: { key: 'difference', descending: false } }, [1, 3, 2, 0, 4]],
    ['by the score of A', { sort: { key: 'a', descending: true } }, [1, 3, 2, 0, 4]],
    ['by sample', { sort: { key: 'sample', descending: false } }, [1, 4, 0, 2, 3]],
  ])('lists %s', (_what, query, rows) => {
    expect(filterPairs({ pairs: PAIRS, better: 'higher' }, { ...ALL, ...query })).toEqual(rows)
  })

  it('groups any number of pairs into few points', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => pair(`x-${i}`, (i % 100) / 99, i % 2))
    const rules = { unit: 'percent', better: 'higher', metricTitle: 'Accuracy' } as const
    const { points } = pairFigure({ ...rules, pairs: many })!.panels[0]!
    expect(points.length).toBeLessThanOrEqual(441)
    expect(points.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(10_000)
    expect(pairFigure({ ...rules, pairs: [pair('x', null, 1)] })).toBeNull()
    const equal = pairFigure({ ...rules, unit: 'number', pairs: [pair('x', 3, 3)] })
    expect(equal!.panels[0]!.points).toEqual([{ series: 2, x: 3, y: 3, count: 1 }])
  })
})
