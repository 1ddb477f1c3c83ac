import { describe, expect, it } from 'vitest'
import type { RunRow } from '../../../../src/server/api.ts'
import { filterRuns, type ListQuery } from './list.ts'
import { matrixOf } from './matrix.ts'

function run(id: string, fields: Partial<RunRow> & { score?: number } = {}): RunRow {
  const { score, ...given } = fields
  return {
    id,
    suite: 'space/text',
    suiteTitle: 'Theory of Space',
    player: 'baseline/random',
    profile: 'fixed',
    source: 'builtin',
    settings: 'one',
    created: `2026-11-15T10:00:${id.padStart(2, '0')}Z`,
    state: 'done',
    reason: null,
    planned: 10,
    finished: 10,
    coverage: 1,
    usd: 0,
    headline:
      score === undefined
        ? null
        : { title: 'Accuracy', value: score, interval: null, chance: null, unit: 'percent', better: 'higher' },
    ...given,
  }
}

describe('leaderboard', () => {
  it('orders models before humans before baselines', () => {
    const { players } = matrixOf([
      run('1', { player: 'baseline/oracle' }),
      run('2', { player: 'human/ada' }),
      run('3', { player: 'openai/x' }),
      run('4', { player: 'openai/y', suite: 'vsig' }),
      run('5', { player: 'openai/y' }),
    ])
    expect(players).toEqual(['openai/y', 'openai/x', 'human/ada', 'baseline/oracle'])
  })

  it('never puts runs with different settings in one row', () => {
    const [suite, ...others] = matrixOf([
      run('1', { player: 'a', settings: 'old', score: 0.1 }),
      run('2', { player: 'a', settings: 'new', score: 0.2 }),
      run('3', { player: 'b', settings: 'new', score: 0.3 }),
    ]).suites
    expect(others).toEqual([])
    expect(suite!.rows.map(({ settings, cells }) => [settings, [...cells.keys()]])).toEqual([
      ['new', ['a', 'b']],
      ['old', ['a']],
    ])
  })

  it.each<[string, RunRow[], string]>([
    ['the newest complete run', [run('1', { score: 0.9 }), run('2', { score: 0.1 })], '2'],
    [
      'a complete run before a newer interrupted one',
      [run('1', { score: 0.9 }), run('2', { score: 0.1, coverage: 0.3, state: 'interrupted' })],
      '1',
    ],
    ['a run with a score before one without', [run('1', { score: 0.9, coverage: 0.5 }), run('2')], '1'],
  ])('shows %s', (_what, runs, shown) => {
    expect(matrixOf(runs).suites[0]!.rows[0]!.cells.get('baseline/random')![0]!.id).toBe(shown)
  })
})

const ALL: ListQuery = { suites: [], players: [], states: [], text: '', sort: { key: 'created', descending: true } }

describe('run list', () => {
  const runs = [
    run('1', { score: 0.5, player: 'openai/x', usd: 2 }),
    run('2', { player: 'human/ada', state: 'interrupted', usd: null }),
    run('3', { score: 0.7, suite: 'vsig', suiteTitle: 'Pointing', state: 'running', usd: 1 }),
  ]

  it.each<[string, Partial<ListQuery>, string[]]>([
    ['all, newest first', {}, ['3', '2', '1']],
    ['a suite', { suites: ['vsig'] }, ['3']],
    ['players', { players: ['openai/x', 'human/ada'] }, ['2', '1']],
    ['a state', { states: ['interrupted'] }, ['2']],
    ['all search words, in any field', { text: 'POINTING random' }, ['3']],
    ['by score, missing scores last', { sort: { key: 'score', descending: true } }, ['3', '1', '2']],
    ['by score ascending, missing scores last', { sort: { key: 'score', descending: false } }, ['1', '3', '2']],
    ['by cost, unknown prices last', { sort: { key: 'cost', descending: true } }, ['1', '3', '2']],
  ])('shows %s', (_what, query, ids) => {
    expect(filterRuns(runs, { ...ALL, ...query }).map(({ id }) => id)).toEqual(ids)
  })
})
