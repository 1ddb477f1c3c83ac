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
  it('pairs by sample id and counts each sample once, with any number of epochs', () => {
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
    // Shared: samples 0 and 1. A has 1 and 0; B has the mean of 1 and a failure, and 1.
    expect(rowOf(comparison, 'direction')).toMatchObject({ a: 0.5, b: 0.75, difference: 0.25, n: 2 })
  })

  it('says how far two people agree', () => {
    const scored = (...scores: number[]) => scores.map((score, i) => exampleLine(i, { scores: { score } }))
    const settings = { permutations: 10, resamples: 10 }
    const notes = (a: string, b: string) =>
      compare(run(a, scored(1, 1, 0, 0, 1)), run(b, scored(1, 0, 0, 0, 1)), exampleSuite, settings).notes.join(' ')
    // Observed 4/5; by chance 3/5 · 2/5 + 2/5 · 3/5 = 12/25.
    expect(notes('human/ada', 'human/bob')).toContain("together on 80.0% of 5 samples, Cohen's kappa 0.62")
    expect(notes('human/ada', 'vllm/model')).not.toContain('Agreement')
  })

  it('pairs values: the steps of an episode that failed in the other run do not count', () => {
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

  it('detects a difference, with an interval around it', () => {
    const samples = { clusters: 60, samplesPerCluster: 6 }
    const a = run('a', exampleRows({ ...samples, skill: 0.45, key: 'a' }))
    const b = run('b', exampleRows({ ...samples, skill: 0.65, key: 'b' }))
    const overall = rowOf(compare(a, b, exampleSuite), 'overall')
    expect(overall.difference).toBeGreaterThan(0.1)
    expect(overall.interval![0]).toBeGreaterThan(0)
    expect(overall.interval![0]).toBeLessThan(0.2)
    expect(overall.interval![1]).toBeGreaterThan(0.2)
    expect(overall.p).toBeLessThan(0.005)
    // Swapping the runs flips the sign.
    const back = rowOf(compare(b, a, exampleSuite), 'overall')
    expect(back.difference).toBeCloseTo(-overall.difference!, 12)
    expect(back.p).toBe(overall.p)
  })

  it('has uniform p-values under the null hypothesis', () => {
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

  it('is paired: scenes that are hard for both runs add no noise', () => {
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

  it('is deterministic', () => {
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
      'with another option: the option explains the difference',
      { 'option.coords': '"pixels"' },
      {},
      'Same model, different suite or options',
      ['option.coords differs: none → "pixels"'],
    ],
    [
      'in a suite with the same samples: each has its own options and version',
      { suite: 'example/film', 'option.frames': '16', 'option.map': 'true' },
      { suite: 'example/film', suiteVersion: 7 },
      'Same model, different suite or options',
      ['suite differs: example/rooms → example/film', 'option.frames only applies to example/film: 16'],
    ],
    [
      'scored with another profile: different scoring',
      {},
      { profile: 'official' },
      'NOT LIKE FOR LIKE: the model is the same',
      ['profile differs'],
    ],
    [
      'with another source and another option',
      { source: 'other', 'option.coords': '1' },
      {},
      'NOT LIKE FOR LIKE: the model is the same',
      ['source differs'],
    ],
  ])('the same model %s', (_, changed, more, verdict, lines) => {
    const suite = { ...exampleSuite, comparableWith: ['example/film'] }
    const comparison = compare(withParts('a', {}), withParts('a', changed, more), suite, {
      resamples: 10,
      permutations: 10,
    })
    expect(comparison.likeForLike).toBe(false)
    const text = renderComparison(comparison, 'table')
    for (const expected of [verdict, ...lines]) expect(text).toContain(expected)
  })

  it('rejects runs of different suites and runs without shared samples', () => {
    const other = run('b', rows, { suite: 'vsi/video' })
    expect(() => compare(run('a', rows), other, exampleSuite)).toThrow(
      'Cannot compare runs of different suites: run-a (example/rooms) and run-b (vsi/video).',
    )
    expect(() => compare(run('a', rows), run('b', [exampleLine(5)]), exampleSuite)).toThrow('no samples in common')
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
