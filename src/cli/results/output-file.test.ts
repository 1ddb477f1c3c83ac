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
  ['a report in a missing folder', () => checkWritable(join(folder, 'none', 'x.md')), 'its folder is missing'],
  ['a report in place of a folder', () => checkWritable(folder), 'it is a folder'],
  [
    'a scene in a missing folder',
    () => newScene({ ...room, output: join(folder, 'none', 'x.json') }),
    'its folder is missing',
  ],
  ['a scene as PLY', () => newScene({ ...room, output: join(folder, 'x.ply') }), 'must end in .json'],
  ['a mesh as PLY', () => show({ ...common, export: join(folder, 'x.ply') }), '--export writes GLB'],
  [
    'a video in a missing folder',
    () => show({ ...common, video: join(folder, 'none', 'x.mp4') }),
    'its folder is missing',
  ],
  ['an image as JPEG', () => show({ ...common, output: join(folder, 'x.jpg') }), '--output writes PNG'],
])('rejects %s before doing any work', async (_, work, message) => {
  const failed = work()
  await expect(failed).rejects.toThrow(UserError)
  await expect(failed).rejects.toThrow(message)
})

test.each([
  ['EACCES', /x cannot be used: permission denied/],
  ['ENOSPC', /disk is full/],
  ['EXDEV', /x could not be read or written: EXDEV/],
])('reports %s as a user error about the output path', async (code, message) => {
  const failed = withOutputErrors('x', () => Promise.reject(Object.assign(new Error(code), { code })))
  await expect(failed).rejects.toThrow(message)
  await expect(failed).rejects.toMatchObject({ hint: expect.stringContaining('-o') })
})

test('passes on errors that do not come from the file system', async () => {
  const fault = Object.assign(new TypeError('The "path" argument must be of type string'), {
    code: 'ERR_INVALID_ARG_TYPE',
  })
  await expect(withOutputErrors('x', () => Promise.reject(fault))).rejects.toBe(fault)
})
