import { expect, it } from 'vitest'
import { studentLimit } from './chance.ts'

// Two-sided quantiles from published tables.
it.each([
  [0.05, 2, 12.706],
  [0.05, 3, 4.303],
  [0.05, 6, 2.571],
  [0.01, 11, 3.169],
  [0.001, 31, 3.646],
  [0.05, 10_001, 1.96],
])('allows at p = %d and %d clusters %d standard errors', (probability, clusters, limit) => {
  expect(studentLimit(probability, clusters)).toBeCloseTo(limit, 2)
})
