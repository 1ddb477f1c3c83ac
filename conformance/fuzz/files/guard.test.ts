import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { guarded } from './guard.ts'

let outside: string
let folder: string
beforeAll(async () => {
  outside = await mkdtemp(join(tmpdir(), 'sightline-guard-'))
  folder = join(outside, 'data')
  await mkdir(folder)
  await writeFile(join(outside, 'secret'), 'secret')
  await writeFile(join(folder, 'inside'), 'inside')
  await symlink('../secret', join(folder, 'link'))
})
afterAll(() => rm(outside, { recursive: true }))

it.each([
  ['a file outside', () => readFile(join(folder, '../secret'))],
  ['a file outside, at once', async () => readFileSync(join(folder, '../secret'))],
  ['a link to it', () => readFile(join(folder, 'link'))],
  ['a program', async () => execFileSync('true')],
])('notices %s', async (_, read) => {
  await expect(guarded(folder, read)).rejects.toThrow(/^(?:opened|started) /)
})

it('lets files of the folder be read, and leaves nothing behind', async () => {
  expect(String(await guarded(folder, () => readFile(join(folder, 'inside'))))).toBe('inside')
  expect(String(await readFile(join(folder, 'link')))).toBe('secret')
})
