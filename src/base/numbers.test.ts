import { expect, it } from 'vitest'
import { mean, selectInPlace } from './numbers.ts'
import { Random } from './random.ts'

it('selects the same value as sorting', () => {
  const random = new Random('select')
  for (let round = 0; round < 200; round++) {
    const values = Float64Array.from({ length: 1 + random.int(60) }, () => random.int(20))
    const rank = random.int(values.length)
    const sorted = values.toSorted()
    expect(selectInPlace(values, rank)).toBe(sorted[rank])
    expect(values.slice(0, rank).every((value) => value <= values[rank]!)).toBe(true)
    expect(values.slice(rank).every((value) => value >= values[rank]!)).toBe(true)
  }
})

it('gives NaN or the given default as the mean of no values', () => {
  expect(mean([1, 2, 6])).toBe(3)
  expect(mean([], null)).toBeNull()
  expect(mean([])).toBeNaN()
})
