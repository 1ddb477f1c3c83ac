import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ReplyFiles } from './replies.ts'

let folder: string
let replies: ReplyFiles
const KEY = 'ab'.repeat(32)
const pathOf = (key: string) => join(folder, 'replies', key.slice(0, 2), `${key.slice(2)}.json`)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-replies-'))
  replies = new ReplyFiles(folder)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('replies', () => {
  it('stores values, also for other processes', async () => {
    expect(await replies.get(KEY)).toBeUndefined()
    await replies.put(KEY, { text: 'left\n', usage: { usd: null } })
    expect(await replies.get(KEY)).toEqual({ text: 'left\n', usage: { usd: null } })
    expect(await new ReplyFiles(folder).get(KEY)).toEqual({ text: 'left\n', usage: { usd: null } })
    await replies.put(KEY, null)
    expect(await replies.get(KEY)).toBeNull()
  })

  it.each(['', '{"text":"cut sh', '\0\0\0\0'])('ignores and overwrites an invalid file: %j', async (broken) => {
    await replies.put(KEY, 1)
    await writeFile(pathOf(KEY), broken)
    expect(await replies.get(KEY)).toBeUndefined()
    await replies.put(KEY, 2)
    expect(await replies.get(KEY)).toBe(2)
  })

  it('keeps one complete reply after concurrent writes', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, i) => replies.put(KEY, { i, text: 'x'.repeat(10_000) })))
    expect(await replies.get(KEY)).toMatchObject({ text: 'x'.repeat(10_000) })
    expect(await readdir(join(folder, 'tmp'))).toEqual([])
    expect(JSON.parse(await readFile(pathOf(KEY), 'utf8'))).toBeTruthy()
  })

  it('continues after the cache was deleted', async () => {
    await replies.put(KEY, 1)
    await rm(folder, { recursive: true })
    expect(await replies.get(KEY)).toBeUndefined()
    await replies.put(KEY, 2)
    expect(await replies.get(KEY)).toBe(2)
  })

  it.each(['', 'xyz', '../../../../../../etc/passwd', 'AB'.repeat(32), 'ab'.repeat(200), `${KEY}\n`])(
    'rejects %j as a key',
    async (key) => {
      await expect(replies.get(key)).rejects.toThrow('hash in lowercase hexadecimal')
      await expect(replies.put(key, 1)).rejects.toThrow('hash in lowercase hexadecimal')
    },
  )
})
