import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { MAX_QUICK_BYTES, quickly } from './quick-disk.ts'
import { readRegular } from './regular-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-regular-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Keeps a core busy, as a disk that does not answer does with a synchronous call. */
function wait(ms: number): string {
  const end = performance.now() + ms
  while (performance.now() < end);
  return 'done'
}

test('small, large and empty files are read whole, also from a slow disk', async () => {
  for (const size of [0, 1, MAX_QUICK_BYTES, MAX_QUICK_BYTES + 1]) {
    const path = join(folder, `${size}`)
    await writeFile(path, Buffer.alloc(size, 7))
    expect(await readRegular(path)).toHaveLength(size)
    for (let i = 0; i < 10; i++) quickly(() => wait(5))
    expect(quickly(() => 'not called')).toBeUndefined()
    expect(await readRegular(path)).toHaveLength(size)
    await vi.waitUntil(() => quickly(() => 'called') === 'called', { timeout: 5000 })
  }
})

test('one call that takes long does not make a disk slow', () => {
  for (let i = 0; i < 20; i++) quickly(() => 'quick')
  quickly(() => wait(50))
  expect(quickly(() => 'called')).toBe('called')
})

test('what is too large, a folder or a pipe is refused', async () => {
  const path = join(folder, 'large')
  await writeFile(path, '')
  await truncate(path, 1000)
  await expect(readRegular(path, 999)).rejects.toThrow('1000 bytes, more than the maximum of 999')
  await expect(readRegular(folder)).rejects.toThrow('is a folder')
  await expect(readRegular(join(folder, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' })
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  await expect(readRegular(pipe)).rejects.toThrow('is not a regular file')
})
