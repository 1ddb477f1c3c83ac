import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { whyUnreadable } from './errors.ts'

it('says why a file cannot be read, in words', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-errors-'))
  const why = (path: string): Promise<string> => readFile(path).then(String, whyUnreadable)
  await writeFile(join(folder, 'file'), '')
  expect(await why(join(folder, 'nothing'))).toBe('it does not exist')
  expect(await why(folder)).toBe('it is a folder')
  expect(await why(join(folder, 'file', 'inside'))).toBe('it is not a folder')
  expect(whyUnreadable(new Error('Line 3 is broken.'))).toBe('Line 3 is broken')
  await rm(folder, { recursive: true })
})
