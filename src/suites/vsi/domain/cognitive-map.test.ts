import { expect, test } from 'vitest'
import { locality, trueMap } from './cognitive-map.ts'

test('counts distances that agree within one cell, in bins of the true distance', () => {
  const truth = { a: [[0, 0]], b: [[0, 3]], c: [[9, 0]] } as const
  const { agreement, bins } = locality({ a: [[0, 0]], b: [[0, 4]], c: [[5, 0]] }, truth)
  expect(agreement).toBeCloseTo(1 / 3, 12)
  expect(bins.find(({ upTo }) => upTo === 3.3)).toMatchObject({ pairs: 1, agreeing: 1 })
  expect(bins.find(({ upTo }) => upTo === 10)).toMatchObject({ pairs: 2, agreeing: 0 })
})

test('scales the room to the grid', () => {
  const things = [{ category: 'bed', box: { center: [5.9, 0.1, 0], size: [1, 1, 1], yaw: 0 } }] as const
  expect(trueMap(things, { min: [0, 0, 0], max: [6, 4, 3] })).toEqual({ bed: [[9, 0]] })
})
