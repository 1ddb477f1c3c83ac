import { describe, expect, it } from 'vitest'
import { Random } from './random.ts'

describe('Random', () => {
  it('gives the same numbers for the same key, on every machine', () => {
    const random = new Random('golden')
    expect(Array.from({ length: 6 }, () => random.int(1000))).toMatchInlineSnapshot(`
      [
        984,
        576,
        810,
        585,
        268,
        712,
      ]
    `)
  })

  it('forks independently of previous draws', () => {
    const fresh = new Random('a')
    const used = new Random('a')
    used.unit()
    expect(used.fork('x').unit()).toBe(fresh.fork('x').unit())
    expect(fresh.fork('y').unit()).not.toBe(fresh.fork('x').unit())
  })

  it('draws by weight, never an item of weight 0', () => {
    const random = new Random('weights')
    const drawn = { a: 0, b: 0, c: 0 }
    for (let i = 0; i < 4000; i++) drawn[random.weighted(['a', 'b', 'c'] as const, [1, 0, 3])] += 1
    expect(drawn.b).toBe(0)
    expect(drawn.c / 4000).toBeCloseTo(0.75, 1)
  })

  it('shuffles without losing items', () => {
    const items = Array.from({ length: 50 }, (_, i) => i)
    const shuffled = new Random('s').shuffle([...items])
    expect(shuffled).not.toEqual(items)
    expect(shuffled.toSorted((a, b) => a - b)).toEqual(items)
  })
})
