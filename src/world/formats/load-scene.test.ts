import { mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boxRoom } from '../../../test/support/world/box-room.ts'
import { focalLength, fromYawPitch } from '../render/camera.ts'
import { Renderer } from '../render/renderer.ts'
import { fileIdentity } from './file-identity.ts'
import { loadScene } from './load-scene.ts'
import { writePly } from './ply-write.ts'
import { PreparedCache } from './prepared-cache.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-scene-'))
})
afterAll(() => rm(folder, { recursive: true }))

const room = boxRoom({ size: [4, 5], boxes: [{ center: [3, 2, 0.4], size: [1, 1, 0.8], yaw: 30 }] })
const camera = { pose: fromYawPitch([0.5, 2, 1.5], 0), lens: focalLength(75, 160, 120) }

test('a cached scene renders exactly like the file', async () => {
  const path = join(folder, 'room.ply')
  await writeFile(path, writePly(room))
  const cache = new PreparedCache(join(folder, 'cache'))
  const first = await loadScene(path, { cache })
  const second = await loadScene(path, { cache })
  expect([first.fromCache, second.fromCache]).toEqual([false, true])
  expect(second.bounds).toEqual(first.bounds)
  expect(second.sha256).toBe(first.sha256)
  expect((await second.mesh()).indices).toEqual((await first.mesh()).indices)
  const draw = (scene: typeof first.scene) =>
    new Renderer(scene).render(camera, { width: 160, height: 120, depth: true })
  expect(draw(second.scene)).toEqual(draw(first.scene))
  expect(new Set(draw(second.scene).color).size).toBeGreaterThan(3)
})

test('prepares again after a changed file or other options', async () => {
  const path = join(folder, 'changing.ply')
  const cache = new PreparedCache(join(folder, 'cache'))
  await writeFile(path, writePly(room))
  await loadScene(path, { cache })
  expect((await loadScene(path, { cache, up: 'y' })).fromCache).toBe(false)
  await writeFile(path, writePly(boxRoom({ size: [4, 6] })))
  expect((await loadScene(path, { cache })).fromCache).toBe(false)
})

test('does not cache a file that references others', async () => {
  const path = join(folder, 'named.obj')
  await writeFile(path, 'mtllib lost.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')
  const cache = new PreparedCache(join(folder, 'cache'))
  const { notes } = await loadScene(path, { cache })
  expect(notes).toEqual([expect.stringContaining('lost.mtl')])
  expect((await loadScene(path, { cache })).fromCache).toBe(false)
})

test('reads a file again only after it was touched', async () => {
  const path = join(folder, 'untouched.ply')
  const cache = new PreparedCache(join(folder, 'cache'))
  await writeFile(path, writePly(boxRoom({ size: [3, 5] })))
  const { mtime } = await stat(path)
  const before = fileIdentity(path)!
  await pause(150)
  const first = await loadScene(path, { cache })
  expect(cache.knownHash(path, before)).toBe(first.sha256)
  expect((await loadScene(path, { cache })).fromCache).toBe(true)
  // Of the same length and, as far as it says, from the same time.
  await writeFile(path, writePly(boxRoom({ size: [3, 6] })))
  await utimes(path, mtime, mtime)
  const changed = await loadScene(path, { cache })
  expect(changed.fromCache).toBe(false)
  expect(changed.sha256).not.toBe(first.sha256)
})
