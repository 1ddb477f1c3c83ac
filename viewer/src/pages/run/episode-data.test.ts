import { describe, expect, it } from 'vitest'
import type { EpisodeColumns } from '../../../../src/server/api.ts'
import { EpisodeData, type EpisodeFilter, valueCounts } from './episode-data.ts'

const COLUMNS: EpisodeColumns = {
  index: [0, 1, 2, 3, 4],
  epoch: [1, 1, 1, 1, 1],
  sample: ['room-2', 'room-10', 'hall-1', 'hall-2', 'attic-1'],
  status: [0, 0, 2, 0, 3],
  statuses: ['answered', 'no_answer', 'parse_failed', 'model_error', 'missing_asset', 'cancelled'],
  cluster: { values: ['scene 2', 'scene 10'], codes: [0, 1, 0, 1, 0] },
  labels: { type: { values: ['size', 'count'], codes: [0, 1, 0, 1, -1] } },
  scores: { score: [0.5, 1, null, 0, null], steps: [12, 3, 40, 3, null] },
  mainScore: 'score',
  metrics: { score: { title: 'Score', unit: 'percent', better: 'higher' } },
  usd: [0.1, null, 0.3, 0.2, 0],
  ms: [900, 100, 500, 300, 700],
  described: [],
  errors: { 2: 'The answer is not a number.', 4: 'The endpoint answered 500.' },
}

const ALL: EpisodeFilter = {
  statuses: [],
  clusters: [],
  labels: {},
  metric: 'score',
  min: null,
  max: null,
  text: '',
  foundRows: null,
}
const IN_ORDER = { key: 'index', descending: false }
const data = new EpisodeData(COLUMNS)

describe('episode table', () => {
  it.each<[string, Partial<EpisodeFilter>, number[]]>([
    ['nothing', {}, [0, 1, 2, 3, 4]],
    ['a status', { statuses: ['parse_failed', 'model_error'] }, [2, 4]],
    ['a scene', { clusters: ['scene 10'] }, [1, 3]],
    ['a label', { labels: { type: ['size'] } }, [0, 2]],
    ['an unknown label value', { labels: { type: ['color'] } }, []],
    ['an inclusive score range', { min: 0.5, max: 1 }, [0, 1]],
    ['a minimum score, excluding episodes without a score', { min: 0 }, [0, 1, 3]],
    ['another metric', { metric: 'steps', max: 3 }, [1, 3]],
    ['text in the id, ignoring case', { text: 'ROOM' }, [0, 1]],
    ['text in the error message', { text: 'not a number' }, [2]],
    ['rows found by the server', { foundRows: [3, 0] }, [0, 3]],
    ['several filters', { labels: { type: ['count'] }, clusters: ['scene 10'], max: 0.5 }, [3]],
  ])('filters by %s', (_what, filter, rows) => {
    expect([...data.rows({ ...ALL, ...filter }, IN_ORDER)]).toEqual(rows)
  })

  it.each<[string, boolean, number[]]>([
    ['sample', false, [4, 2, 3, 1, 0]],
    ['ms', false, [1, 3, 2, 4, 0]],
    ['ms', true, [0, 4, 2, 3, 1]],
    // Missing values come last in both directions.
    ['score.score', false, [3, 0, 1, 2, 4]],
    ['score.score', true, [1, 0, 3, 2, 4]],
    ['usd', true, [2, 3, 0, 4, 1]],
    // "scene 2" before "scene 10".
    ['cluster', false, [0, 2, 4, 1, 3]],
    ['label.type', false, [4, 1, 3, 0, 2]],
    ['status', false, [0, 1, 3, 4, 2]],
    ['label.unknown', false, [0, 1, 2, 3, 4]],
  ])('sorts by %s, descending %s', (key, descending, rows) => {
    expect([...data.rows(ALL, { key, descending })]).toEqual(rows)
  })

  it('sorts correctly with many equal and missing values', () => {
    const values = Array.from({ length: 5000 }, (_, i) => (i % 7 === 0 ? null : (i * 37) % 11))
    const many = new EpisodeData({
      ...COLUMNS,
      index: values.map((_, i) => i),
      status: values.map(() => 0),
      cluster: { values: ['a'], codes: values.map(() => 0) },
      labels: {},
      scores: { score: values },
    })
    const found = [...many.rows(ALL, { key: 'score.score', descending: false })].map((row) => values[row] ?? null)
    const present = found.filter((value) => value !== null)
    expect(present).toEqual(present.toSorted((a, b) => a - b))
    expect(found.slice(present.length).every((value) => value === null)).toBe(true)
    expect(found).toHaveLength(5000)
  })

  it('takes units from the suite, or infers them from the values', () => {
    expect(data.unit('score')).toBe('percent')
    expect(data.unit('steps')).toBe('number')
  })

  it('counts values in natural order', () => {
    expect(valueCounts(COLUMNS.cluster)).toEqual([
      { value: 'scene 2', count: 3 },
      { value: 'scene 10', count: 2 },
    ])
    expect(valueCounts(COLUMNS.labels['type']!)).toEqual([
      { value: 'count', count: 2 },
      { value: 'size', count: 2 },
    ])
  })
})
