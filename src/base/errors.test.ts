import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, test, vi } from 'vitest'
import { MissingAssetError, UserError, fileErrorReason } from './errors.ts'

it('explains why a file cannot be read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-errors-'))
  const why = (path: string): Promise<string> => readFile(path).then(String, fileErrorReason)
  await writeFile(join(folder, 'file'), '')
  expect(await why(join(folder, 'nothing'))).toBe('it does not exist')
  expect(await why(folder)).toBe('it is a folder')
  expect(await why(join(folder, 'file', 'inside'))).toBe('it is not a folder')
  expect(fileErrorReason(Object.assign(new Error('EACCES'), { code: 'EACCES' }))).toBe('permission denied')
  expect(fileErrorReason(new Error('Line 3 is broken.'))).toBe('Line 3 is broken')
  await rm(folder, { recursive: true })
})

test('recognizes errors of another copy of this module', async () => {
  vi.resetModules()
  const other = await import('./errors.ts')
  expect(other.UserError).not.toBe(UserError)
  expect(new other.UserError('x')).toBeInstanceOf(UserError)
  expect(new other.MissingAssetError('x')).toBeInstanceOf(MissingAssetError)
  expect(new other.MissingAssetError('x')).not.toBeInstanceOf(UserError)
  expect(new Error('x')).not.toBeInstanceOf(UserError)
})

test('subclasses match only their own instances', () => {
  class Special extends UserError {}
  expect(new Special('x')).toBeInstanceOf(Special)
  expect(new Special('x')).toBeInstanceOf(UserError)
  expect(new UserError('x')).not.toBeInstanceOf(Special)
})
