import { mkdir, mkdtemp, readdir, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sha256 } from '../base/hash.ts'
import { MediaStore } from './media.ts'

let folder: string
let media: MediaStore
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-media-'))
  media = new MediaStore(join(folder, 'store'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const image = Buffer.from('not really an image!')

async function filesBelow(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

describe('media', () => {
  it('stores bytes with their type and size', async () => {
    const ref = await media.keep(image, 'image/png', { width: 4, height: 3 })
    expect(ref).toEqual({ sha256: sha256(image), type: 'image/png', bytes: 20, width: 4, height: 3 })
    expect(await media.read(ref)).toEqual(image)
    expect(await media.read(ref.sha256)).toEqual(image)
    expect(await media.has(ref)).toBe(true)
    expect(media.pathOf(ref)).toBe(join(folder, 'store', 'media', ref.sha256.slice(0, 2), ref.sha256.slice(2)))
    expect(await media.keep(new Uint8Array(0), 'text/plain')).not.toHaveProperty('width')
  })

  it('stores an external file, also through a link, and replaces a truncated one', async () => {
    const file = join(folder, 'video.mp4')
    await writeFile(file, image)
    await symlink(file, join(folder, 'link.mp4'))
    const ref = await media.keepFile(join(folder, 'link.mp4'), 'video/mp4')
    expect(ref).toEqual({ sha256: sha256(image), type: 'video/mp4', bytes: 20 })
    expect(await media.read(ref)).toEqual(image)
    // Deleting or replacing the original has no effect.
    await rm(file)
    await writeFile(file, 'another video')
    expect(await media.read(ref)).toEqual(image)
    await truncate(media.pathOf(ref), 3)
    await writeFile(file, image)
    const later = new MediaStore(join(folder, 'store'))
    await Promise.all([later.keepFile(file, 'video/mp4'), later.keepFile(file, 'video/mp4', ref.sha256)])
    expect(await later.read(ref)).toEqual(image)
    await expect(later.keepFile(join(folder, 'gone.mp4'), 'video/mp4')).rejects.toThrow('gone.mp4')
  })

  it('stores the same bytes once: concurrently, later, and in another process', async () => {
    const refs = await Promise.all(Array.from({ length: 50 }, () => media.keep(image, 'image/png')))
    expect(new Set(refs.map((ref) => ref.sha256)).size).toBe(1)
    const before = await stat(media.pathOf(refs[0]!))
    await media.keep(image, 'image/jpeg')
    await new MediaStore(join(folder, 'store')).keep(image, 'image/png')
    const after = await stat(media.pathOf(refs[0]!))
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs])
    expect(await filesBelow(join(folder, 'store'))).toHaveLength(1)
  })

  it('reports a missing file', async () => {
    expect(await media.has(sha256(image))).toBe(false)
    await expect(media.read(sha256(image))).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringContaining(`${media.pathOf(sha256(image))} is missing`),
    })
  })

  it('detects damage, and repairs it when the bytes are stored again', async () => {
    const ref = await media.keep(image, 'image/png')
    await writeFile(media.pathOf(ref), 'not really an imoge!')
    await expect(media.read(ref)).rejects.toThrow('is damaged')
    await truncate(media.pathOf(ref), 3)
    await expect(media.read(ref)).rejects.toThrow('is damaged')
    const fresh = new MediaStore(join(folder, 'store'))
    await fresh.keep(image, 'image/png')
    expect(await fresh.read(ref)).toEqual(image)
  })

  it.each(['', 'abc', '../../../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(64)}\n`, `${'a'.repeat(62)}/.`])(
    'rejects %j as a hash',
    async (hash) => {
      await expect(media.read(hash)).rejects.toThrow('is not a SHA-256 hash')
      expect(() => media.pathOf(hash)).toThrow('is not a SHA-256 hash')
    },
  )

  it('does not follow links out of the store', async () => {
    const secret = join(folder, 'secret')
    await writeFile(secret, image)
    const hash = sha256(image)
    await mkdir(dirname(media.pathOf(hash)), { recursive: true })
    await symlink(secret, media.pathOf(hash))
    await expect(media.read(hash)).rejects.toThrow('is a symbolic link out of the store')
    expect(await media.has(hash)).toBe(false)
    // Storing the bytes replaces the link and does not touch its target.
    await media.keep(image, 'image/png')
    expect(await media.read(hash)).toEqual(image)
  })

  it('does not write through a linked folder', async () => {
    const outside = join(folder, 'outside')
    await mkdir(outside)
    await mkdir(join(folder, 'store', 'media'), { recursive: true })
    await symlink(outside, dirname(media.pathOf(sha256(image))))
    await expect(media.keep(image, 'image/png')).rejects.toThrow('is a symbolic link out of the store')
    expect(await readdir(outside)).toEqual([])
  })

  it('continues after its folder was deleted', async () => {
    const ref = await media.keep(image, 'image/png')
    await rm(join(folder, 'store'), { recursive: true })
    const other = await media.keep(Buffer.from(`${ref.sha256} other`), 'image/png')
    expect(await media.read(other)).toHaveLength(other.bytes)
  })
})
