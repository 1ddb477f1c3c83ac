import { describe, expect, it } from 'vitest'
import { exampleRows } from '../../test/support/report.ts'
import { LiveMeans } from './live.ts'
import type { Metric, ScoredRow } from './means.ts'
import { Table } from './table.ts'

const score: Metric = { title: 'Score', better: 'higher', unit: 'percent', failed: 'zero' }
const METRICS: Record<string, Metric> = {
  accuracy: score,
  mra: score,
  steps: { title: 'Steps', better: 'lower', unit: 'number', failed: 'leave-out' },
}

let next = 0
function row(
  labels: Record<string, string>,
  status: ScoredRow['status'],
  scores: Record<string, number> = {},
): ScoredRow {
  return { sample: `c${next++}`, epoch: 0, cluster: 'scene', labels, status, scores }
}
const direction = { type: 'direction' }
const size = { type: 'size' }

describe('which episodes count', () => {
  it.each<[string, ScoredRow[], string, Record<string, string> | undefined, number | null, number]>([
    [
      'a failure scores 0',
      [row(direction, 'answered', { accuracy: 1 }), row(direction, 'no_answer')],
      'accuracy',
      undefined,
      0.5,
      2,
    ],
    [
      'unparsable answers and model errors score 0',
      [row(direction, 'answered', { accuracy: 1 }), row(direction, 'parse_failed'), row(direction, 'model_error')],
      'accuracy',
      direction,
      1 / 3,
      3,
    ],
    [
      'missing assets and cancellations are excluded',
      [row(direction, 'answered', { accuracy: 1 }), row(direction, 'missing_asset'), row(direction, 'cancelled')],
      'accuracy',
      undefined,
      1,
      1,
    ],
    [
      'a failure with a value keeps it',
      [row(direction, 'answered', { accuracy: 1 }), row(direction, 'parse_failed', { accuracy: 0.5 })],
      'accuracy',
      undefined,
      0.75,
      2,
    ],
    [
      'a failure has no steps',
      [row(direction, 'answered', { accuracy: 1, steps: 4 }), row(direction, 'no_answer')],
      'steps',
      undefined,
      4,
      1,
    ],
    [
      'a failed size question does not count for accuracy',
      [row(direction, 'answered', { accuracy: 1 }), row(size, 'answered', { mra: 0.8 }), row(size, 'no_answer')],
      'accuracy',
      undefined,
      1,
      1,
    ],
    [
      'a failed size question counts for MRA',
      [row(direction, 'answered', { accuracy: 1 }), row(size, 'answered', { mra: 0.8 }), row(size, 'no_answer')],
      'mra',
      undefined,
      0.4,
      2,
    ],
    [
      'when all questions of a type failed, metrics follow the most similar labels',
      [
        row({ ...direction, room: 'small' }, 'model_error'),
        row({ ...direction, room: 'large' }, 'answered', { accuracy: 1 }),
        row({ ...size, room: 'large' }, 'answered', { mra: 1 }),
      ],
      'accuracy',
      undefined,
      0.5,
      2,
    ],
    [
      'when all questions of a type failed, metrics of other labels do not apply',
      [
        row({ ...direction, room: 'small' }, 'model_error'),
        row({ ...direction, room: 'large' }, 'answered', { accuracy: 1 }),
        row({ ...size, room: 'large' }, 'answered', { mra: 1 }),
      ],
      'mra',
      undefined,
      1,
      1,
    ],
    [
      'when every episode failed, every score is 0',
      [row(direction, 'model_error'), row(size, 'model_error')],
      'mra',
      size,
      0,
      1,
    ],
    ['no episodes have no mean', [], 'accuracy', undefined, null, 0],
    [
      'an unknown label value has no mean',
      [row(direction, 'answered', { accuracy: 1 })],
      'accuracy',
      { type: 'other' },
      null,
      0,
    ],
  ])('%s', (_, rows, metric, where, mean, count) => {
    const live = new LiveMeans(METRICS)
    for (const each of rows) live.add(each)
    for (const means of [new Table(rows, METRICS), live]) {
      expect(means.mean(metric, where)).toEqual(mean)
      expect(means.count(metric, where)).toBe(count)
    }
  })

  it('respects appliesTo of a metric', () => {
    const metrics = {
      mra: { ...score, appliesTo: (labels: Readonly<Record<string, string>>) => labels['type'] === 'size' },
    }
    const means = new Table([row(direction, 'model_error'), row(size, 'model_error')], metrics)
    expect(means.count('mra')).toBe(1)
  })

  it('computes the live score by the same rules as the report', () => {
    const rows = exampleRows({ clusters: 20, samplesPerCluster: 6, skill: 0.6, failures: 0.3, key: 'live' })
    const metrics = { score, steps: METRICS['steps']! }
    const table = new Table(rows, metrics)
    const live = new LiveMeans(metrics)
    for (const each of rows) live.add(each)
    for (const metric of ['score', 'steps', 'unknown']) {
      for (const where of [undefined, { type: 'direction' }, { type: 'distance' }]) {
        expect(live.count(metric, where)).toBe(table.count(metric, where))
        const mean = table.mean(metric, where)
        if (mean === null) expect(live.mean(metric, where)).toBeNull()
        else expect(live.mean(metric, where)).toBeCloseTo(mean, 12)
      }
    }
    expect(live.values('type')).toEqual(table.values('type'))
    expect(table.values('type')).toEqual(['direction', 'distance'])
  })
})

it('labels without end lead to an error, not to work without end', () => {
  const table = new Table([row(direction, 'answered', { accuracy: 1 })], METRICS)
  table.spend(4e10)
  expect(table.mean('accuracy')).toBe(1)
  expect(() => table.spend(2e10)).toThrow('too many different labels')
})
