import { mkdtemp, readdir, rm, truncate, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ArraysFile } from './arrays-file.ts'
import { PreparedCache } from './prepared-cache.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-cache-'))
})
afterEach(() => rm(folder, { recursive: true }))

const FILE: ArraysFile = {
  meta: { version: 3, box: [0, 1.5] },
  arrays: {
    places: Float32Array.of(1.5, -2, 3),
    ids: Uint16Array.of(7),
    corners: Uint8Array.of(1, 2, 3),
    big: Float64Array.of(0.1),
  },
}

test('returns stored bytes for the same key only', async () => {
  const cache = new PreparedCache(folder)
  await cache.put({ file: 'abc', up: 'z' }, FILE)
  expect(await cache.get({ up: 'z', file: 'abc' })).toEqual(FILE)
  expect(await cache.get({ file: 'abc', up: 'y' })).toBeUndefined()
})

test('treats a truncated file as absent and rewrites it', async () => {
  const cache = new PreparedCache(folder)
  await cache.put('key', FILE)
  const [name] = await readdir(folder)
  await truncate(join(folder, name!), 200)
  expect(await cache.get('key')).toBeUndefined()
  expect(await cache.through('key', () => FILE)).toEqual(FILE)
  expect(await cache.get('key')).toEqual(FILE)
})

test('reads an array directly into given memory', async () => {
  const cache = new PreparedCache(folder)
  await cache.put('key', FILE)
  const read = () =>
    cache.readInto('key', 'places', (length, fill) => {
      const memory = new Uint8Array(new SharedArrayBuffer(length))
      fill(memory)
      return new Float32Array(memory.buffer)
    })
  expect(read()?.meta).toEqual(FILE.meta)
  expect([...(read()?.value ?? [])]).toEqual([1.5, -2, 3])
  expect(cache.readInto('key', 'none', () => 1)).toBeUndefined()
  expect(cache.readInto('other', 'places', () => 1)).toBeUndefined()
  const [name] = await readdir(folder)
  await truncate(join(folder, name!), 200)
  expect(read()).toBeUndefined()
})

test('evicts the oldest entries and leaves no temporary files', async () => {
  const cache = new PreparedCache(folder, { limitBytes: 900 })
  await cache.put('old', FILE)
  const [name] = await readdir(folder)
  await utimes(join(folder, name!), 1, 1)
  await cache.put('new', FILE)
  expect(await cache.get('old')).toBeUndefined()
  expect(await cache.get('new')).toEqual(FILE)
  expect(await readdir(folder)).toHaveLength(1)
})

test('works without a cache when the folder is not writable', async () => {
  const cache = new PreparedCache('/dev/null/nowhere')
  expect(await cache.through('key', () => FILE)).toEqual(FILE)
})
