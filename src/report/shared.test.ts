import { describe, expect, it } from 'vitest'
import { exampleHeader, exampleLine, exampleSuite } from '../../test/support/report.ts'
import type { EpisodeLine, RunHeader } from '../store/records.ts'
import { isPart } from './report.ts'
import { checkShared, sharedReports, shareSamples, type SharingRun } from './shared.ts'

const run = (player: string, rows: EpisodeLine[], changes: Partial<RunHeader> = {}): SharingRun => ({
  header: exampleHeader({ id: player, models: { player }, planned: 500, ...changes }),
  rows,
  suite: exampleSuite,
})
const samples = (from: number, to: number, score = 1): EpisodeLine[] =>
  Array.from({ length: to - from }, (_, i) => exampleLine(from + i, { scores: { score } }))

describe('shared samples', () => {
  it('are those that all runs have, and only they are scored', () => {
    const half = [...samples(0, 6), ...samples(6, 10, 0)]
    const shared = shareSamples([run('a', half), run('b', samples(4, 20)), run('c', samples(0, 8))])
    expect(shared).toMatchObject({ samples: 4, all: 20, leftOut: [] })
    const reports = [...sharedReports(shared)]
    expect(reports.map(({ run: id, counted, coverage }) => [id, counted, coverage])).toEqual([
      ['a', 4, 1],
      ['b', 4, 1],
      ['c', 4, 1],
    ])
    expect(reports.map(isPart)).toEqual([true, true, true])
    // Of its samples 4 to 7, run a has two right.
    expect(reports[0]!.rows[0]).toMatchObject({ key: 'overall', value: 0.5, interval: [expect.any(Number), 1] })
    expect(reports[0]!.notes[0]).toBe('Only samples that all 3 runs have: 4 of 20.')
  })

  it('are the whole set if all runs have all of it', () => {
    const whole = { planned: 10 }
    const shared = shareSamples([run('a', samples(0, 10), whole), run('b', samples(0, 10), whole)])
    expect([...sharedReports(shared)].map(isPart)).toEqual([false, false])
  })

  it('name every run that cannot take part', () => {
    const shared = shareSamples([
      run('a', samples(0, 10)),
      run('far', samples(90, 95)),
      run('empty', []),
      run('canceled', [exampleLine(1, { status: 'cancelled', scores: {} })]),
      run('old', samples(0, 10), { suiteVersion: 0 }),
      run('other', samples(0, 10), { suite: 'example/towers' }),
      run('b', samples(2, 12)),
    ])
    expect(shared.runs.map(({ header }) => header.id)).toEqual(['a', 'b'])
    expect(Object.fromEntries(shared.leftOut.map(({ run: id, reason }) => [id, reason]))).toEqual({
      far: 'no samples in common with the other runs',
      empty: 'no scored episodes',
      canceled: 'no scored episodes',
      old: 'version 0 of the suite, the others have version 1',
      other: 'plays example/towers, the others example/rooms',
    })
    expect(() => checkShared(shareSamples([run('a', samples(0, 3)), run('far', samples(7, 9))]))).toThrow(
      'no samples in common',
    )
  })

  it('keep a trial run from shrinking the others, if asked to', () => {
    const runs = [run('trial', samples(0, 2)), run('a', samples(0, 10)), run('b', samples(0, 8))]
    expect(shareSamples(runs).samples).toBe(2)
    expect(shareSamples(runs, { least: 0.5 })).toMatchObject({
      samples: 8,
      leftOut: [{ run: 'trial', reason: 'only 2 of 8 samples in common' }],
    })
  })

  it('count a question type as 0 in the run where all of its episodes failed', () => {
    const failed = [0, 1].map((i) => exampleLine(i, { status: 'no_answer', scores: {}, labels: { type: 'size' } }))
    const answered = [0, 1].map((i) => exampleLine(i, { scores: { score: 1, steps: 3 }, labels: { type: 'size' } }))
    const others = [exampleLine(2, { scores: { steps: 2 }, labels: { type: 'walk' } })]
    const [report] = sharedReports(shareSamples([run('a', [...failed, ...others]), run('b', [...answered, ...others])]))
    expect(report!.rows.find(({ key }) => key === 'size')).toMatchObject({ value: 0, n: 2 })
  })
})
