import { expect, test } from 'vitest'
import { calculate } from './calculate.ts'

test.each([
  ['1 + 2 * 3', 7],
  ['(1 + 2) × 3', 9],
  ['2^3^2', 512],
  ['-2^2', -4],
  ['sqrt(3^2 + 4^2)', 5],
  ['10 ÷ 4', 2.5],
  ['cos(60)', 0.5],
  ['.5 - 1', -0.5],
])('%s is %s', (text, value) => {
  expect(calculate(text)).toBeCloseTo(value, 9)
})

test.each(['', '1 +', '(1', '1 2', 'alert(1)', '1/0', 'constructor(1)', 'sqrt(-1)'])('"%s" has no value', (text) => {
  expect(calculate(text)).toBeNull()
})
