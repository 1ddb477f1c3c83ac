import { describe, expect, test } from 'vitest'
import { Random } from '../../base/random.ts'
import { boundsOf, percentile, percentileBounds } from './bounds.ts'

describe('percentiles', () => {
  test.each([
    [[1, 2, 3, 4], 50, 2.5],
    [[4, 1, 3, 2], 0, 1],
    [[4, 1, 3, 2], 100, 4],
    [[10], 37, 10],
    // numpy.percentile([0.1, 0.2, 0.7, 1.5, 3.25], 98) and 2
    [[3.25, 0.1, 1.5, 0.7, 0.2], 98, 3.11],
    [[3.25, 0.1, 1.5, 0.7, 0.2], 2, 0.108],
  ])('of %j at %d', (values, q, expected) => {
    expect(percentile(values, q)).toBeCloseTo(expected, 12)
  })

  test('equal those of a full sort, with duplicates', () => {
    const random = new Random('percentiles')
    const values = Array.from({ length: 2001 }, () => Math.round(random.range(-50, 50)) / 4)
    const sorted = values.toSorted((a, b) => a - b)
    for (const q of [0, 2, 12.5, 50, 98, 99.9, 100]) {
      const rank = (q / 100) * 2000
      const below = sorted[Math.floor(rank)]!
      const above = sorted[Math.ceil(rank)]!
      expect(percentile(values, q)).toBeCloseTo(below + (above - below) * (rank % 1), 10)
    }
  })

  test('keep stray points out of the bounds of a scan', () => {
    const points = new Float32Array(3 * 1000).map((_, i) => ((i * 7) % 100) / 100)
    points.set([50, -50, 20], 0)
    const { min, max } = percentileBounds(points, 2, 98)
    expect(Math.max(...max)).toBeLessThan(1)
    expect(Math.min(...min)).toBeGreaterThanOrEqual(0)
    expect(boundsOf(points)).toMatchObject({ min: [0, -50, 0] })
  })
})
