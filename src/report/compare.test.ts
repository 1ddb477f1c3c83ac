import { describe, expect, it } from 'vitest'
import { Random } from '../base/random.ts'
import type { EpisodeLine, RunHeader } from '../store/records.ts'
import { compare } from './compare.ts'
import { exampleHeader, exampleLine, exampleRows, exampleSuite } from '../../test/support/report.ts'
import { renderComparison } from './render/comparison.ts'

const header = (player: string, changes: Partial<RunHeader> = {}): RunHeader =>
  exampleHeader({ id: `run-${player}`, models: { player }, ...changes })
const run = (player: string, rows: EpisodeLine[], changes: Partial<RunHeader> = {}) => ({
  header: header(player, changes),
  rows,
})
const rowOf = (comparison: ReturnType<typeof compare>, key: string) => comparison.rows.find((row) => row.key === key)!

describe('compare', () => {
  it('pairs on case id and counts each case once, whatever its repeats', () => {
    const a = run('a', [
      exampleLine(0, { scores: { score: 1 } }),
      exampleLine(1, { scores: { score: 0 } }),
      exampleLine(2, { scores: { score: 1 } }),
      exampleLine(7, { status: 'cancelled', scores: {} }),
    ])
    const b = run('b', [
      exampleLine(0, { epoch: 0, scores: { score: 1 } }),
      exampleLine(0, { epoch: 1, status: 'model_error', scores: {} }),
      exampleLine(1, { scores: { score: 1 } }),
      exampleLine(7, { scores: { score: 1 } }),
      exampleLine(8, { scores: { score: 1 } }),
    ])
    const comparison = compare(a, b, exampleSuite, { permutations: 200, resamples: 200 })
    expect(comparison).toMatchObject({ shared: 2, onlyA: 1, onlyB: 2, clusters: 2 })
    // Shared: cases 0 and 1. A has 1 and 0; B has the mean of 1 and a failure, and 1.
    expect(rowOf(comparison, 'direction')).toMatchObject({ a: 0.5, b: 0.75, difference: 0.25, n: 2 })
  })

  it('pairs values too: the steps of an episode that failed in the other run do not count', () => {
    const a = run('a', [
      exampleLine(0, { scores: { score: 1, steps: 4 } }),
      exampleLine(1, { scores: { score: 1, steps: 20 } }),
    ])
    const b = run('b', [
      exampleLine(0, { scores: { score: 1, steps: 5 } }),
      exampleLine(1, { status: 'no_answer', scores: {} }),
    ])
    const steps = rowOf(compare(a, b, exampleSuite, { permutations: 10, resamples: 10 }), 'steps')
    expect(steps).toMatchObject({ a: 4, b: 5, difference: 1, n: 1, interval: null })
  })

  it('finds a shift, with an interval around it', () => {
    const samples = { clusters: 60, samplesPerCluster: 6 }
    const a = run('a', exampleRows({ ...samples, skill: 0.45, key: 'a' }))
    const b = run('b', exampleRows({ ...samples, skill: 0.65, key: 'b' }))
    const overall = rowOf(compare(a, b, exampleSuite), 'overall')
    expect(overall.difference).toBeGreaterThan(0.1)
    expect(overall.interval![0]).toBeGreaterThan(0)
    expect(overall.interval![0]).toBeLessThan(0.2)
    expect(overall.interval![1]).toBeGreaterThan(0.2)
    expect(overall.p).toBeLessThan(0.005)
    // The other way round it is the same with the other sign.
    const back = rowOf(compare(b, a, exampleSuite), 'overall')
    expect(back.difference).toBeCloseTo(-overall.difference!, 12)
    expect(back.p).toBe(overall.p)
  })

  it('gives p-values that are spread evenly when there is nothing to find', () => {
    const trials = 200
    const ps = Array.from({ length: trials }, (_, trial) => {
      const samples = { clusters: 24, samplesPerCluster: 4, skill: 0.5 }
      const a = run('a', exampleRows({ ...samples, key: `null a ${trial}` }))
      const b = run('b', exampleRows({ ...samples, key: `null b ${trial}` }))
      return rowOf(compare(a, b, exampleSuite, { resamples: 1, permutations: 200 }), 'overall').p!
    })
    const below = (limit: number): number => ps.filter((p) => p <= limit).length / trials
    expect(below(0.05)).toBeLessThan(0.11)
    expect(below(0.25)).toBeGreaterThan(0.15)
    expect(below(0.25)).toBeLessThan(0.36)
    expect(below(0.75)).toBeGreaterThan(0.6)
    expect(below(0.75)).toBeLessThan(0.9)
  })

  it('is paired: scenes that are hard for both do not blur the difference', () => {
    const random = new Random('paired')
    const lines = Array.from({ length: 40 }, (_, i) => ({ i, ease: random.unit() }))
    const a = run(
      'a',
      lines.map(({ i, ease }) => exampleLine(i, { scores: { score: ease } })),
    )
    const b = run(
      'b',
      lines.map(({ i, ease }) => exampleLine(i, { scores: { score: ease + 0.01 } })),
    )
    const overall = rowOf(compare(a, b, exampleSuite), 'overall')
    expect(overall.interval![0]).toBeCloseTo(0.01, 9)
    expect(overall.interval![1]).toBeCloseTo(0.01, 9)
    expect(overall.p).toBeLessThan(0.001)
  })

  it('gives the same bytes every time', () => {
    const samples = { clusters: 10, samplesPerCluster: 4, skill: 0.5 }
    const a = run('a', exampleRows({ ...samples, key: 'a' }))
    const b = run('b', exampleRows({ ...samples, key: 'b' }))
    const once = JSON.stringify(compare(a, b, exampleSuite))
    const shuffled = { ...b, rows: new Random('x').shuffle([...b.rows]) }
    expect(JSON.stringify(compare(a, shuffled, exampleSuite))).toBe(once)
  })
})

describe('like for like', () => {
  const rows = [exampleLine(0), exampleLine(1)]
  const parts = header('a').fingerprint.parts
  const withParts = (player: string, changes: Record<string, string>, more: Partial<RunHeader> = {}) =>
    run(player, rows, { fingerprint: { hash: 'x', parts: { ...parts, 'model.player': player, ...changes } }, ...more })

  it.each<[string, Record<string, string>, Partial<RunHeader>, boolean, [string, string][]]>([
    ['another model', {}, {}, true, [['model.player', 'compared']]],
    [
      'other model options',
      { 'modelOption.effort': '"high"' },
      {},
      true,
      [
        ['model.player', 'compared'],
        ['modelOption.effort', 'compared'],
      ],
    ],
    [
      'more repeats',
      { epochs: '3' },
      {},
      true,
      [
        ['epochs', 'paired'],
        ['model.player', 'compared'],
      ],
    ],
    [
      'another judge',
      { 'model.judge': 'x/y' },
      {},
      false,
      [
        ['model.judge', 'unlike'],
        ['model.player', 'compared'],
      ],
    ],
    [
      'other prompts',
      { prompts: 'other' },
      {},
      false,
      [
        ['prompts', 'unlike'],
        ['model.player', 'compared'],
      ],
    ],
    [
      'another option',
      { 'option.steps': '9' },
      {},
      false,
      [
        ['option.steps', 'unlike'],
        ['model.player', 'compared'],
      ],
    ],
    [
      'another profile',
      {},
      { profile: 'official' },
      false,
      [
        ['profile', 'unlike'],
        ['model.player', 'compared'],
      ],
    ],
    [
      'another version',
      {},
      { suiteVersion: 2 },
      false,
      [
        ['suiteVersion', 'unlike'],
        ['model.player', 'compared'],
      ],
    ],
    [
      'a part nobody knows',
      { novelty: '1' },
      {},
      false,
      [
        ['novelty', 'unlike'],
        ['model.player', 'compared'],
      ],
    ],
  ])('%s', (_, changed, more, likeForLike, differences) => {
    const comparison = compare(withParts('a', {}), withParts('b', changed, more), exampleSuite, {
      resamples: 10,
      permutations: 10,
    })
    expect(comparison.likeForLike).toBe(likeForLike)
    expect(comparison.differences.map(({ part, kind }) => [part, kind])).toEqual(differences)
    const text = renderComparison(comparison, 'table')
    expect(text.includes('NOT LIKE FOR LIKE')).toBe(!likeForLike)
    for (const [part] of differences) expect(text).toContain(part)
  })

  it.each<[string, Record<string, string>, Partial<RunHeader>, string, string[]]>([
    [
      'under another option: the option makes the difference',
      { 'option.coords': '"pixels"' },
      {},
      'The same model in two ways',
      ['option.coords differs: none → "pixels"'],
    ],
    [
      'in a suite that asks the same otherwise: each has options of its own, and its own version',
      { suite: 'example/film', 'option.frames': '16', 'option.map': 'true' },
      { suite: 'example/film', suiteVersion: 7 },
      'The same model in two ways',
      ['suite differs: example/rooms → example/film', 'option.frames is of example/film alone: 16'],
    ],
    [
      'scored by another profile: another ruler',
      {},
      { profile: 'official' },
      'NOT LIKE FOR LIKE: the model is the same',
      ['profile differs'],
    ],
    [
      'on another source and under another option',
      { source: 'other', 'option.coords': '1' },
      {},
      'NOT LIKE FOR LIKE: the model is the same',
      ['source differs'],
    ],
  ])('the same model %s', (_, changed, more, sentence, lines) => {
    const suite = { ...exampleSuite, comparableWith: ['example/film'] }
    const comparison = compare(withParts('a', {}), withParts('a', changed, more), suite, {
      resamples: 10,
      permutations: 10,
    })
    expect(comparison.likeForLike).toBe(false)
    const text = renderComparison(comparison, 'table')
    for (const words of [sentence, ...lines]) expect(text).toContain(words)
  })

  it('refuses runs of different suites, and runs without a common case', () => {
    const other = run('b', rows, { suite: 'vsi/video' })
    expect(() => compare(run('a', rows), other, exampleSuite)).toThrow(
      'different suites: run-a is of example/rooms, run-b of vsi/video',
    )
    expect(() => compare(run('a', rows), run('b', [exampleLine(5)]), exampleSuite)).toThrow('no sample in common')
  })

  it('prints every format', () => {
    const comparison = compare(withParts('a', {}), withParts('b', { prompts: 'other' }), exampleSuite, {
      resamples: 10,
      permutations: 10,
    })
    expect(renderComparison(comparison, 'table')).toMatchSnapshot()
    expect(renderComparison(comparison, 'csv')).toMatch(/^key,title.*\r\noverall,/)
    expect(renderComparison(comparison, 'md')).toContain('| B − A |')
    expect(renderComparison(comparison, 'latex')).toContain('\\toprule')
    expect(JSON.parse(renderComparison(comparison, 'json'))).toEqual(JSON.parse(JSON.stringify(comparison)))
  })
})
