import { expect, it } from 'vitest'
import type { ReportRow } from '../report.ts'
import { curvesOf } from './curves.ts'

function row(key: string, title: string, unit: 'percent' | 'number' = 'percent'): ReportRow {
  return { key, title, value: 0.5, n: 3, unit, better: 'higher', interval: null }
}

it('puts levels of difficulty in order', () => {
  const rows = ['hard', 'easy', 'medium'].map((level) => row(`level.${level}`, `Mean at level ${level}`))
  expect(curvesOf(rows)[0]!.points.map(({ row: { key } }) => key)).toEqual(['level.easy', 'level.medium', 'level.hard'])
})

it('groups rows that differ only in a number into a curve, sorted by that number', () => {
  const [curve, ...others] = curvesOf([
    row('accuracy', 'Accuracy'),
    row('curve.seen.10', 'Seen at cost 10'),
    row('curve.seen.2', 'Seen at cost 2'),
    row('curve.seen.5', 'Seen at cost 5'),
    // Too few points, a number only in the key, and values that are not percentages make no curve.
    row('early.1', 'Early 1'),
    row('early.2', 'Early 2'),
    row('size.1', 'small'),
    row('size.2', 'medium'),
    row('size.3', 'large'),
    ...[1, 2, 3].map((step) => row(`steps.${step}`, `Steps ${step}`, 'number')),
  ])
  expect(others).toEqual([])
  expect(curve).toMatchObject({ key: 'curve.seen', title: 'Seen at cost' })
  expect(curve!.points.map(({ x }) => x)).toEqual([2, 5, 10])
})
