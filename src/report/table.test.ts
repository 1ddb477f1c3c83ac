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

describe('who counts', () => {
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
      'so do unreadable answers and model errors',
      [row(direction, 'answered', { accuracy: 1 }), row(direction, 'parse_failed'), row(direction, 'model_error')],
      'accuracy',
      direction,
      1 / 3,
      3,
    ],
    [
      'what is not the model’s doing is left out',
      [row(direction, 'answered', { accuracy: 1 }), row(direction, 'missing_asset'), row(direction, 'cancelled')],
      'accuracy',
      undefined,
      1,
      1,
    ],
    [
      'a failure keeps a value of its own',
      [row(direction, 'answered', { accuracy: 1 }), row(direction, 'parse_failed', { accuracy: 0.5 })],
      'accuracy',
      undefined,
      0.75,
      2,
    ],
    [
      'a failure costs no steps',
      [row(direction, 'answered', { accuracy: 1, steps: 4 }), row(direction, 'no_answer')],
      'steps',
      undefined,
      4,
      1,
    ],
    [
      'a failed size question is none under accuracy',
      [row(direction, 'answered', { accuracy: 1 }), row(size, 'answered', { mra: 0.8 }), row(size, 'no_answer')],
      'accuracy',
      undefined,
      1,
      1,
    ],
    [
      'but it is one under MRA',
      [row(direction, 'answered', { accuracy: 1 }), row(size, 'answered', { mra: 0.8 }), row(size, 'no_answer')],
      'mra',
      undefined,
      0.4,
      2,
    ],
    [
      'when all of a type failed, the nearest labels tell',
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
      'and do not tell otherwise',
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
      'when everything failed, everything is 0',
      [row(direction, 'model_error'), row(size, 'model_error')],
      'mra',
      size,
      0,
      1,
    ],
    ['nothing gives nothing', [], 'accuracy', undefined, null, 0],
    [
      'an unknown label value gives nothing',
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

  it('lets a metric say what it applies to', () => {
    const metrics = {
      mra: { ...score, appliesTo: (labels: Readonly<Record<string, string>>) => labels['type'] === 'size' },
    }
    const means = new Table([row(direction, 'model_error'), row(size, 'model_error')], metrics)
    expect(means.count('mra')).toBe(1)
  })

  it('gives the running score by the same rules as the report', () => {
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
