import { describe, expect, test } from 'vitest'
import { freeHeight } from './labels.ts'

const at = (x: number, y: number) => ({ x, y, width: 40, height: 16 })

describe('the height of a label', () => {
  test('is its own where nothing is covered', () => {
    expect(freeHeight(at(100, 50), [at(100, 90), at(150, 50), at(100, 20)])).toBe(50)
  })
  test('is above the one that it would cover, and above those on top of it', () => {
    expect(freeHeight(at(100, 50), [at(110, 55)])).toBe(38)
    expect(freeHeight(at(100, 50), [at(90, 40), at(110, 55)])).toBe(23)
  })
})
