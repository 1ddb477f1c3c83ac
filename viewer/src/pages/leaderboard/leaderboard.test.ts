import { describe, expect, it } from 'vitest'
import { buildReport } from '../../../../src/report/report.ts'
import type { RunRow } from '../../../../src/server/api.ts'
import { exampleHeader, exampleRows, exampleSuite } from '../../../../test/support/report.ts'
import { filterRuns, type ListQuery } from './list.ts'
import { cellOf, haveSameSamples, matrixOf, playersOf, shownRuns } from './matrix.ts'

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
    group: 'one',
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
  const allPlayers = (runs: RunRow[], how = {}): string[] =>
    playersOf(matrixOf(runs, how).suites.flatMap(({ rows }) => rows))

  it('orders models before humans before baselines, which can be hidden', () => {
    const runs = [
      run('1', { player: 'baseline/oracle', score: 1 }),
      run('2', { player: 'human/ada', score: 1 }),
      run('3', { player: 'openai/x', score: 1 }),
      run('4', { player: 'openai/y', suite: 'vsig', score: 1 }),
      run('5', { player: 'openai/y', score: 1 }),
    ]
    expect(allPlayers(runs)).toEqual(['openai/y', 'openai/x', 'human/ada', 'baseline/oracle'])
    expect(allPlayers(runs, { baselines: false })).toEqual(['openai/y', 'openai/x', 'human/ada'])
  })

  it('gives no column to runs without a score', () => {
    const empty = { finished: 0, coverage: 0 }
    const runs = [
      run('1', { player: 'human/gone', state: 'running', ...empty }),
      run('2', { player: 'openai/failed', state: 'failed' }),
      run('3', { player: 'openai/x', score: 0.5 }),
    ]
    expect(allPlayers(runs)).toEqual(['openai/x'])
  })

  it('puts runs in one row if they differ in player and limit only', () => {
    const [suite, ...others] = matrixOf([
      run('1', { player: 'a', group: 'old', settings: 'old', score: 0.1 }),
      run('2', { player: 'a', settings: 'all', score: 0.2 }),
      run('3', { player: 'b', settings: 'first 20', score: 0.3 }),
    ]).suites
    expect(others).toEqual([])
    expect(suite!.rows.map(({ group, cells }) => [group, [...cells.keys()]])).toEqual([
      ['one', ['a', 'b']],
      ['old', ['a']],
    ])
    expect(haveSameSamples(shownRuns(suite!.rows[0]!))).toBe(false)
    expect(haveSameSamples([run('4', { score: 1 }), run('5', { score: 0 })])).toBe(true)
    expect(haveSameSamples([run('4', { score: 1 }), run('5', { score: 0, coverage: 0.5 })])).toBe(false)
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

it('a cell takes its coverage and cost from the samples of its score', () => {
  const whole = run('1', { score: 0.9, planned: 50, coverage: 0.2, usd: 7 })
  const rows = exampleRows({ clusters: 2, samplesPerCluster: 2, skill: 0.5, key: 'a' })
  const report = buildReport({ header: exampleHeader({ planned: 4 }), rows, suite: exampleSuite })
  const shared = { samples: 4, all: 50, unlike: [], runs: [{ row: whole, report }], leftOut: [] }
  expect(cellOf(whole, null)).toMatchObject({ counted: 10, planned: 50, coverage: 0.2, usd: 7 })
  const { counted, coverage, usage } = report
  expect(cellOf(whole, shared)).toMatchObject({ counted, planned: 4, coverage, usd: usage.usd })
  expect(cellOf(run('2', { score: 0.5 }), shared)).toMatchObject({ counted: 10, planned: 10 })
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
