import { expect, it } from 'vitest'
import { LruCache } from './lru-cache.ts'

it('keeps the most recently used values', () => {
  const made: string[] = []
  const kept = new LruCache<string>(2)
  const use = (key: string): string =>
    kept.getOrCreate(key, () => {
      made.push(key)
      return key.toUpperCase()
    })
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(use)).toEqual(['A', 'B', 'A', 'C', 'A', 'B'])
  expect(made).toEqual(['a', 'b', 'c', 'b'])
  expect(kept.get('c')).toBeUndefined()
})

it('does not keep rejected promises', async () => {
  const kept = new LruCache<Promise<number>>(2)
  await expect(kept.getOrCreate('a', () => Promise.reject(new Error('not there')))).rejects.toThrow('not there')
  expect(await kept.getOrCreate('a', () => Promise.resolve(1))).toBe(1)
  expect(await kept.getOrCreate('a', () => Promise.resolve(2))).toBe(1)
})
