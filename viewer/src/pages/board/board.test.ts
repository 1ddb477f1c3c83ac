import { describe, expect, it } from 'vitest'
import type { RunRow } from '../../../../src/server/api.ts'
import { chooseRuns, type ListQuery } from './list.ts'
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

describe('the board', () => {
  it('puts models before people before built-in players', () => {
    const { players } = matrixOf([
      run('1', { player: 'baseline/oracle' }),
      run('2', { player: 'human/ada' }),
      run('3', { player: 'openai/x' }),
      run('4', { player: 'openai/y', suite: 'vsig' }),
      run('5', { player: 'openai/y' }),
    ])
    expect(players).toEqual(['openai/y', 'openai/x', 'human/ada', 'baseline/oracle'])
  })

  it('never sets runs with other settings side by side', () => {
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
    ['the newest of whole runs', [run('1', { score: 0.9 }), run('2', { score: 0.1 })], '2'],
    [
      'a whole run before a newer one that was broken off',
      [run('1', { score: 0.9 }), run('2', { score: 0.1, coverage: 0.3, state: 'interrupted' })],
      '1',
    ],
    ['a run with a number before one without', [run('1', { score: 0.9, coverage: 0.5 }), run('2')], '1'],
  ])('shows %s', (_what, runs, shown) => {
    expect(matrixOf(runs).suites[0]!.rows[0]!.cells.get('baseline/random')![0]!.id).toBe(shown)
  })
})

const ALL: ListQuery = { suites: [], players: [], states: [], text: '', sort: { key: 'created', descending: true } }

describe('the list of runs', () => {
  const runs = [
    run('1', { score: 0.5, player: 'openai/x', usd: 2 }),
    run('2', { player: 'human/ada', state: 'interrupted', usd: null }),
    run('3', { score: 0.7, suite: 'vsig', suiteTitle: 'Pointing', state: 'running', usd: 1 }),
  ]

  it.each<[string, Partial<ListQuery>, string[]]>([
    ['all, the newest first', {}, ['3', '2', '1']],
    ['a suite', { suites: ['vsig'] }, ['3']],
    ['players', { players: ['openai/x', 'human/ada'] }, ['2', '1']],
    ['a state', { states: ['interrupted'] }, ['2']],
    ['all words of a text, wherever they are', { text: 'POINTING random' }, ['3']],
    ['by score; what has none is last', { sort: { key: 'score', descending: true } }, ['3', '1', '2']],
    [
      'by score, the lowest first; what has none is last',
      { sort: { key: 'score', descending: false } },
      ['1', '3', '2'],
    ],
    ['by cost; an unknown price is last', { sort: { key: 'cost', descending: true } }, ['1', '3', '2']],
  ])('shows %s', (_what, query, ids) => {
    expect(chooseRuns(runs, { ...ALL, ...query }).map(({ id }) => id)).toEqual(ids)
  })
})
