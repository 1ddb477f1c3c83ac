import { expect, it } from 'vitest'
import { parseErrorLimit } from './failures.ts'

it.each([
  ['5%', { share: 0.05 }],
  ['0.5 %', { share: 0.005 }],
  ['10', { episodes: 10 }],
  ['0', { episodes: 0 }],
])('reads the error limit %s', (text, limit) => {
  expect(parseErrorLimit(text)).toEqual(limit)
})

it.each(['', '5.5', '101%', '-1', 'all', '5%%', '1e3'])('rejects the error limit "%s"', (text) => {
  expect(() => parseErrorLimit(text)).toThrow(/--fail-on-error must be a share like 5%/)
})
