import { expect, it } from 'vitest'
import { plural } from './plural.ts'

it.each([
  [0, '0 episodes'],
  [1, '1 episode'],
  [1200, '1,200 episodes'],
])('counts %d in the right number', (count, text) => {
  expect(plural(count, 'episode')).toBe(text)
})
