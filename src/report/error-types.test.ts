import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorTypeRows } from './error-types.ts'
import { assignErrorType, ERROR_TYPES_FILE, readErrorTypes } from '../store/error-types.ts'

let run: string
beforeAll(async () => {
  run = await mkdtemp(join(tmpdir(), 'sightline-errors-'))
})
afterAll(() => rm(run, { recursive: true, force: true }))

test('types of errors are assigned, changed and taken away, and counted in the report', async () => {
  expect(await readErrorTypes(run)).toEqual([])
  await assignErrorType(run, { index: 3, epoch: 1 }, 'perception')
  await assignErrorType(run, { index: 4, epoch: 1 }, 'perception')
  await assignErrorType(run, { index: 3, epoch: 1 }, 'relational')
  const assigned = await readErrorTypes(run)
  expect(assigned).toHaveLength(2)
  const rows = errorTypeRows(assigned, { perception: 'Visual perception', relational: 'Relational', other: 'Other' })
  expect(rows.map(({ key, title, value, n }) => [key, title, value, n])).toEqual([
    ['error.perception', 'Visual perception', 0.5, 2],
    ['error.relational', 'Relational', 0.5, 2],
    ['error.other', 'Other', 0, 2],
  ])
  await assignErrorType(run, { index: 3, epoch: 1 }, null)
  await assignErrorType(run, { index: 4, epoch: 1 }, null)
  expect(errorTypeRows(await readErrorTypes(run), {})).toEqual([])
})

test('a damaged file is an error, not an empty list', async () => {
  await writeFile(join(run, ERROR_TYPES_FILE), '{"episodes": ')
  await expect(readErrorTypes(run)).rejects.toThrow('is not a list of error types')
})
