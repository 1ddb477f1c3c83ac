import { describe, expect, it } from 'vitest'
import { Random } from '../base/random.ts'
import { quantile } from './bootstrap.ts'
import { exampleHeader, exampleLine, exampleRows, exampleSuite } from '../../test/support/report.ts'
import { brokenDown } from './by.ts'
import { mainKeys } from './main-keys.ts'
import { passAll, passAny } from './passes.ts'
import { renderReports } from './render/index.ts'
import { buildReport, readReport } from './report.ts'
import type { Means } from './means.ts'

const rowOf = (report: ReturnType<typeof buildReport>, key: string) => report.rows.find((row) => row.key === key)!

describe('buildReport', () => {
  it('reports an unknown cost, not $0, while a model without a price has not answered', () => {
    const costOf = (prices: Record<string, unknown>) => {
      const header = exampleHeader({ models: { player: 'vllm/m' }, prices })
      return buildReport({ header, rows: [], suite: exampleSuite }).usage.usd
    }
    expect(costOf({ 'vllm/m': null })).toBeNull()
    expect(costOf({ 'vllm/m': { input: 1, output: 2 } })).toBe(0)
  })

  it('matches values computed by hand', () => {
    const rows = [
      exampleLine(0, { cluster: 'a', scores: { score: 1, steps: 4 } }),
      exampleLine(1, { cluster: 'a', scores: { score: 0, steps: 8 } }),
      exampleLine(2, { cluster: 'b', status: 'parse_failed', scores: {} }),
      exampleLine(3, { cluster: 'b', labels: { type: 'distance' }, scores: { score: 0.5, steps: 6 } }),
      exampleLine(4, { cluster: 'c', status: 'missing_asset', scores: {} }),
    ]
    const report = buildReport({ header: exampleHeader({ planned: 8 }), rows, suite: exampleSuite })
    expect(rowOf(report, 'direction')).toMatchObject({ value: 1 / 3, n: 3 })
    expect(rowOf(report, 'distance')).toMatchObject({
      value: 0.5,
      n: 1,
      interval: null,
      noInterval: 'too few clusters have a value',
    })
    expect(rowOf(report, 'overall').value).toBeCloseTo((1 / 3 + 0.5) / 2, 12)
    expect(rowOf(report, 'steps')).toMatchObject({ value: 6, n: 3 })
    expect(report).toMatchObject({
      planned: 8,
      finished: 5,
      counted: 4,
      coverage: 0.5,
      samples: 4,
      clusters: 2,
      byStatus: { answered: 3, parse_failed: 1, missing_asset: 1 },
      usage: { calls: 5, inputTokens: 500, outputTokens: 50 },
      passes: null,
    })
    expect(report.usage.usd).toBeCloseTo(0.005, 12)
    expect(report.notes).toEqual([
      'Incomplete run: 5 of 8 episodes finished.',
      '1 episode excluded from all scores: 1 with missing files, 0 canceled.',
      'Failed episodes score 0: 1 parse_failed.',
      'Only 2 clusters: confidence intervals are likely too narrow.',
    ])
  })

  it('breaks the headline down by a label, composed by the suite and with intervals', () => {
    const labeled = exampleRows({ clusters: 20, samplesPerCluster: 8, skill: 0.5, key: 'by' }).map((row, i) => ({
      ...row,
      labels: { ...row.labels, level: i % 4 === 0 ? 'hard' : 'easy' },
    }))
    const reported = (rows: typeof labeled, suite: typeof exampleSuite) =>
      buildReport({ header: exampleHeader({ planned: rows.length }), rows, suite })
    const report = reported(labeled, brokenDown(exampleSuite, ['level']))
    const hard = reported(
      labeled.filter(({ labels }) => labels.level === 'hard'),
      exampleSuite,
    )
    expect(rowOf(report, 'by.level=hard')).toMatchObject({ section: 'By level', title: 'hard' })
    expect(rowOf(report, 'by.level=hard').value).toBeCloseTo(rowOf(hard, hard.headline).value!, 12)
    expect(rowOf(report, 'by.level=easy').interval).not.toBeNull()
    expect(mainKeys(report.rows)).toContain('by.level=easy')
    const other = report.rows.find(({ key, section }) => key !== report.headline && section === undefined)!
    const chosen = reported(labeled, brokenDown(exampleSuite, ['level'], [other.title]))
    expect(rowOf(chosen, `by.level=hard.${other.key}`).value).toBeCloseTo(rowOf(hard, other.key).value!, 12)
    expect(() => reported(labeled, brokenDown(exampleSuite, ['color']))).toThrow(/no label "color"/)
  })

  it('counts replies that are not full answers, and warns above 1% of the episodes', () => {
    const rows = Array.from({ length: 200 }, (_, i) =>
      exampleLine(i, {
        cluster: `c${i % 9}`,
        ...(i < 3 && { problems: ['cut_off'] }),
        ...(i === 7 && { problems: ['refused'] }),
      }),
    )
    const report = buildReport({ header: exampleHeader({ planned: 200 }), rows, suite: exampleSuite })
    expect(rowOf(report, 'replies.cut_off')).toMatchObject({ value: 0.015, n: 200, better: 'lower' })
    expect(rowOf(report, 'replies.refused')).toMatchObject({ value: 0.005 })
    expect(rowOf(report, 'replies.empty')).toBeUndefined()
    expect(report.warnings).toEqual([
      '3 of 200 episodes (1.5%) have a reply that is cut off at the token limit. Raise it with -M max_tokens=N.',
    ])
    expect(renderReports([report], 'md')).toMatch(/Overall[^|]*<sup>1<\/sup>|Overall[^|]*¹/)
  })

  it('has no total cost when one price is unknown', () => {
    const unknown = exampleLine(0)
    const rows = [{ ...unknown, usage: { ...unknown.usage, usd: null } }, exampleLine(1)]
    expect(buildReport({ header: exampleHeader(), rows, suite: exampleSuite }).usage.usd).toBeNull()
  })

  it('has no interval for a single scene, and reports why', () => {
    const report = buildReport({ header: exampleHeader({ planned: 1 }), rows: [exampleLine(0)], suite: exampleSuite })
    expect(rowOf(report, 'overall')).toMatchObject({
      value: 1,
      interval: null,
      noInterval: 'needs at least 2 clusters',
    })
    expect(report.notes).toContain('No confidence intervals: they need at least 2 clusters.')
  })

  it('reports a run without finished episodes', () => {
    const report = buildReport({ header: exampleHeader({ planned: 3 }), rows: [], suite: exampleSuite })
    expect(rowOf(report, 'overall')).toMatchObject({ value: null, n: 0, interval: null })
  })

  it('does not depend on the order in which episodes finished', () => {
    const rows = exampleRows({ clusters: 25, samplesPerCluster: 4, epochs: 2, skill: 0.5, failures: 0.1, key: 'bytes' })
    const header = exampleHeader({ epochs: 2, planned: rows.length })
    const once = JSON.stringify(buildReport({ header, rows, suite: exampleSuite }))
    const shuffled = new Random('shuffle').shuffle([...rows])
    expect(JSON.stringify(buildReport({ header, rows: shuffled, suite: exampleSuite }))).toBe(once)
    expect(JSON.stringify(buildReport({ header, rows, suite: exampleSuite, seed: 2 }))).not.toBe(once)
  })

  it('resamples whole scenes: two samples of a scene that always agree count as one', () => {
    const one = exampleRows({ clusters: 60, samplesPerCluster: 1, skill: 0.5, spread: 0, key: 'one' })
    const doubled = one.flatMap((row) => [row, { ...row, index: row.index + 1000, sample: `${row.sample}b` }])
    const suite = {
      ...exampleSuite,
      summary: (means: Means) => ({
        headline: 'score',
        rows: [
          {
            key: 'score',
            title: '',
            value: means.mean('score'),
            n: means.count('score'),
            unit: 'percent' as const,
            better: 'higher' as const,
          },
        ],
      }),
    }
    const width = (rows: typeof one): number => {
      const [low, high] = buildReport({ header: exampleHeader(), rows, suite }).rows[0]!.interval!
      return high - low
    }
    expect(width(doubled)).toBeCloseTo(width(one), 12)
  })

  it('has intervals that cover the true value about 95% of the time, including composites', () => {
    // Each scene has a random ease, and its answers are drawn from it: the true macro average is the mean ease.
    const trials = 200
    let covered = 0
    for (let trial = 0; trial < trials; trial++) {
      const random = new Random(`coverage/${trial}`)
      const rows = Array.from({ length: 40 }, (_, scene) => {
        const ease = random.range(0.2, 1)
        return Array.from({ length: 6 }, (_, item) =>
          exampleLine(scene * 6 + item, {
            cluster: `scene-${scene}`,
            labels: { type: item < 2 ? 'direction' : 'distance' },
            scores: { score: random.chance(ease) ? 1 : 0 },
          }),
        )
      }).flat()
      const report = buildReport({ header: exampleHeader(), rows, suite: exampleSuite, seed: trial, resamples: 200 })
      const [low, high] = rowOf(report, 'overall').interval!
      if (low <= 0.6 && 0.6 <= high) covered++
    }
    expect(covered / trials).toBeGreaterThan(0.88)
    expect(covered / trials).toBeLessThan(0.99)
  })

  it('parses its own output and rejects anything else', () => {
    const rows = exampleRows({ clusters: 5, samplesPerCluster: 4, epochs: 2, skill: 0.5, key: 'back' })
    const report = buildReport({ header: exampleHeader({ epochs: 2, planned: 40 }), rows, suite: exampleSuite })
    expect(readReport(JSON.parse(JSON.stringify(report)))).toEqual(report)
    expect(() => readReport({ ...report, format: 2 })).toThrow(/not a valid report: format/)
    expect(() => readReport(null)).toThrow(/not a valid report/)
  })
})

describe('pass@k and pass^k', () => {
  it.each([
    // n, c, k, with values from counting subsets by hand
    [3, 1, 1, 1 / 3, 1 / 3],
    [3, 1, 2, 2 / 3, 0],
    [3, 2, 2, 1, 1 / 3],
    [4, 2, 2, 5 / 6, 1 / 6],
    [5, 0, 3, 0, 0],
    [5, 5, 5, 1, 1],
  ])('%i attempts, %i correct, k = %i', (n, c, k, any, all) => {
    expect(passAny(n, c, k)).toBeCloseTo(any, 12)
    expect(passAll(n, c, k)).toBeCloseTo(all, 12)
  })

  it('averages over samples and counts failed episodes as failures', () => {
    const rows = [
      exampleLine(0, { epoch: 0, scores: { score: 1 } }),
      exampleLine(0, { epoch: 1, scores: { score: 0.9 } }),
      exampleLine(1, { epoch: 0, scores: { score: 1 } }),
      exampleLine(1, { epoch: 1, status: 'model_error', scores: {} }),
      exampleLine(2, { epoch: 0, scores: { score: 1 } }),
      exampleLine(2, { epoch: 1, status: 'cancelled', scores: {} }),
    ]
    const report = buildReport({ header: exampleHeader({ epochs: 2, planned: 6 }), rows, suite: exampleSuite })
    expect(report.passes?.metric).toBe('score')
    expect(report.passes?.rows).toMatchObject([
      { k: 1, samples: 3, any: 2 / 3, all: 2 / 3 },
      { k: 2, samples: 2, any: 1, all: 0 },
    ])
  })
})

describe('quantile', () => {
  it.each([
    [[1, 2, 3, 4], 0.5, 2.5],
    [[1, 2, 3, 4], 0.25, 1.75],
    [[5], 0.975, 5],
    [[0, 10], 0.975, 9.75],
  ])('of %j at %f', (values, share, expected) => {
    expect(quantile(Float64Array.from(values), share)).toBeCloseTo(expected, 12)
  })
})
