import { expect, it } from 'vitest'
import { Recent } from './recent.ts'

it('keeps what was used last', () => {
  const made: string[] = []
  const kept = new Recent<string>(2)
  const use = (key: string): string =>
    kept.of(key, () => {
      made.push(key)
      return key.toUpperCase()
    })
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(use)).toEqual(['A', 'B', 'A', 'C', 'A', 'B'])
  expect(made).toEqual(['a', 'b', 'c', 'b'])
  expect(kept.get('c')).toBeUndefined()
})

it('does not keep what failed', async () => {
  const kept = new Recent<Promise<number>>(2)
  await expect(kept.of('a', () => Promise.reject(new Error('not there')))).rejects.toThrow('not there')
  expect(await kept.of('a', () => Promise.resolve(1))).toBe(1)
  expect(await kept.of('a', () => Promise.resolve(2))).toBe(1)
})
