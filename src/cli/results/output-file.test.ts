import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { UserError } from '../../base/errors.ts'
import { newScene, showScene } from '../commands/scene.ts'
import { checkWritable, withOutputErrors } from './output-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'written-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const size = { width: 64, height: 48 }
const room = { seed: 1, kind: 'bathroom' } as const
const show = (file: Parameters<typeof showScene>[1]) => showScene(join(folder, 'room.json'), file)
const common = { size, fov: 90, antialias: false }

test.each([
  ['a report in no folder', () => checkWritable(join(folder, 'none', 'x.md')), 'its folder is not there'],
  ['a report over a folder', () => checkWritable(folder), 'it is a folder'],
  [
    'a room in no folder',
    () => newScene({ ...room, output: join(folder, 'none', 'x.json') }),
    'its folder is not there',
  ],
  ['a room as a mesh', () => newScene({ ...room, output: join(folder, 'x.ply') }), 'must end in .json'],
  ['a mesh as PLY', () => show({ ...common, export: join(folder, 'x.ply') }), '--export writes GLB'],
  ['a film in no folder', () => show({ ...common, video: join(folder, 'none', 'x.mp4') }), 'its folder is not there'],
  ['a picture as JPEG', () => show({ ...common, output: join(folder, 'x.jpg') }), '--output writes PNG'],
])('%s: a sentence, before any work is done', async (_, work, words) => {
  const failed = work()
  await expect(failed).rejects.toThrow(UserError)
  await expect(failed).rejects.toThrow(words)
})

test.each([
  ['EACCES', /x cannot be used: permission denied/],
  ['ENOSPC', /disk is full/],
  ['EXDEV', /x could not be read or written: EXDEV/],
])('what the disk refuses is a sentence about the place that was asked for: %s', async (code, words) => {
  const failed = withOutputErrors('x', () => Promise.reject(Object.assign(new Error(code), { code })))
  await expect(failed).rejects.toThrow(words)
  await expect(failed).rejects.toMatchObject({ hint: expect.stringContaining('-o') })
})

test('what is not the disk is not called so', async () => {
  const fault = Object.assign(new TypeError('The "path" argument must be of type string'), {
    code: 'ERR_INVALID_ARG_TYPE',
  })
  await expect(withOutputErrors('x', () => Promise.reject(fault))).rejects.toBe(fault)
})
