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

const picture = Buffer.from('not really a picture')

async function filesBelow(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

describe('media', () => {
  it('gives back the bytes, with their type and size', async () => {
    const ref = await media.keep(picture, 'image/png', { width: 4, height: 3 })
    expect(ref).toEqual({ sha256: sha256(picture), type: 'image/png', bytes: 20, width: 4, height: 3 })
    expect(await media.read(ref)).toEqual(picture)
    expect(await media.read(ref.sha256)).toEqual(picture)
    expect(await media.has(ref)).toBe(true)
    expect(media.pathOf(ref)).toBe(join(folder, 'store', 'media', ref.sha256.slice(0, 2), ref.sha256.slice(2)))
    expect(await media.keep(new Uint8Array(0), 'text/plain')).not.toHaveProperty('width')
  })

  it('takes in a file without copying it where it can, through a link too, and mends what was cut short', async () => {
    const file = join(folder, 'film.mp4')
    await writeFile(file, picture)
    await symlink(file, join(folder, 'link.mp4'))
    const ref = await media.keepFile(join(folder, 'link.mp4'), 'video/mp4')
    expect(ref).toEqual({ sha256: sha256(picture), type: 'video/mp4', bytes: 20 })
    expect(await media.read(ref)).toEqual(picture)
    // Deleting where it came from, or writing it anew, changes nothing here.
    await rm(file)
    await writeFile(file, 'another film')
    expect(await media.read(ref)).toEqual(picture)
    await truncate(media.pathOf(ref), 3)
    await writeFile(file, picture)
    const later = new MediaStore(join(folder, 'store'))
    await Promise.all([later.keepFile(file, 'video/mp4'), later.keepFile(file, 'video/mp4', ref.sha256)])
    expect(await later.read(ref)).toEqual(picture)
    await expect(later.keepFile(join(folder, 'gone.mp4'), 'video/mp4')).rejects.toThrow('gone.mp4')
  })

  it('stores the same bytes once: at the same time, later, and in another process', async () => {
    const refs = await Promise.all(Array.from({ length: 50 }, () => media.keep(picture, 'image/png')))
    expect(new Set(refs.map((ref) => ref.sha256)).size).toBe(1)
    const before = await stat(media.pathOf(refs[0]!))
    await media.keep(picture, 'image/jpeg')
    await new MediaStore(join(folder, 'store')).keep(picture, 'image/png')
    const after = await stat(media.pathOf(refs[0]!))
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs])
    expect(await filesBelow(join(folder, 'store'))).toHaveLength(1)
  })

  it('says which file is missing', async () => {
    expect(await media.has(sha256(picture))).toBe(false)
    await expect(media.read(sha256(picture))).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringContaining(`${media.pathOf(sha256(picture))} is not there`),
    })
  })

  it('notices damage, and mends it when the bytes come again', async () => {
    const ref = await media.keep(picture, 'image/png')
    await writeFile(media.pathOf(ref), 'not really a pictore')
    await expect(media.read(ref)).rejects.toThrow('is damaged')
    await truncate(media.pathOf(ref), 3)
    await expect(media.read(ref)).rejects.toThrow('is damaged')
    const fresh = new MediaStore(join(folder, 'store'))
    await fresh.keep(picture, 'image/png')
    expect(await fresh.read(ref)).toEqual(picture)
  })

  it.each(['', 'abc', '../../../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(64)}\n`, `${'a'.repeat(62)}/.`])(
    'takes only hashes: %j',
    async (hash) => {
      await expect(media.read(hash)).rejects.toThrow('is not the SHA-256 of any media')
      expect(() => media.pathOf(hash)).toThrow('is not the SHA-256 of any media')
    },
  )

  it('follows no link out of the store', async () => {
    const secret = join(folder, 'secret')
    await writeFile(secret, picture)
    const hash = sha256(picture)
    await mkdir(dirname(media.pathOf(hash)), { recursive: true })
    await symlink(secret, media.pathOf(hash))
    await expect(media.read(hash)).rejects.toThrow('leads out of the store')
    expect(await media.has(hash)).toBe(false)
    // Keeping the bytes puts a file of our own in the link's place, and leaves what it pointed to alone.
    await media.keep(picture, 'image/png')
    expect(await media.read(hash)).toEqual(picture)
  })

  it('writes through no folder that leads out of the store', async () => {
    const outside = join(folder, 'outside')
    await mkdir(outside)
    await mkdir(join(folder, 'store', 'media'), { recursive: true })
    await symlink(outside, dirname(media.pathOf(sha256(picture))))
    await expect(media.keep(picture, 'image/png')).rejects.toThrow('leads out of the store')
    expect(await readdir(outside)).toEqual([])
  })

  it('goes on when its folder was emptied meanwhile', async () => {
    const ref = await media.keep(picture, 'image/png')
    await rm(join(folder, 'store'), { recursive: true })
    const other = await media.keep(Buffer.from(`${ref.sha256} other`), 'image/png')
    expect(await media.read(other)).toHaveLength(other.bytes)
  })
})
