/** Bytes stored once under their SHA-256, whoever uses them: `media/ab/cdef…`. */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, type FileHandle, link, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { codeOf, UserError } from '../base/errors.ts'
import { sha256, sha256OfFile } from '../base/hash.ts'
import type { MediaRef, MediaType } from '../media/ref.ts'
import { withDiskErrors, makeFolder, writeAtomically } from './disk.ts'

const SHA256 = /^[0-9a-f]{64}$/
/** Hashes remembered as stored: spares a look at the disk, and bounds memory however long a run is. */
const MAX_REMEMBERED = 16_384

export class MediaStore {
  readonly #store: string
  readonly #folder: string
  readonly #temporary: string
  /** Hashes that are on disk, oldest first. */
  readonly #stored = new Set<string>()
  readonly #underWay = new Map<string, Promise<void>>()
  /** At most 256: subfolders that were made and that lie inside the store. */
  readonly #checkedShards = new Set<string>()

  constructor(store: string) {
    this.#store = store
    this.#folder = join(store, 'media')
    this.#temporary = join(store, 'tmp')
  }

  /**
   * Stores bytes, unless they are there already, and gives back what points to them. The bytes must not change before
   * the promise is settled.
   */
  async keep(bytes: Uint8Array, type: MediaType, size?: { width: number; height: number }): Promise<MediaRef> {
    const hash = sha256(bytes)
    await this.#once(hash, () => this.#write(hash, bytes))
    return { sha256: hash, type, bytes: bytes.length, ...(size && { width: size.width, height: size.height }) }
  }

  /**
   * Stores a file that lies elsewhere, never as a whole in memory: a clone or a link of it where the disk allows, else
   * a copy. A linked file that is changed in place later is found out by its hash when it is read.
   *
   * @param known its SHA-256, where the caller has just computed it
   */
  async keepFile(file: string, type: MediaType, known?: string): Promise<MediaRef> {
    const source = await withDiskErrors(file, () => realpath(file))
    const hash = known ?? (await withDiskErrors(source, () => sha256OfFile(source)))
    const { size } = await withDiskErrors(source, () => stat(source))
    await this.#once(hash, async () => {
      const path = this.pathOf(hash)
      await withDiskErrors(path, async () => {
        await this.#checkShard(hash.slice(0, 2))
        if ((await sizeOf(path)) !== size) await this.#bring(source, path)
      })
    })
    return { sha256: hash, type, bytes: size }
  }

  /** Stores what is not known to be stored; who wants the same at the same time waits for the one that does it. */
  async #once(hash: string, store: () => Promise<void>): Promise<void> {
    if (this.#stored.has(hash)) return
    let storing = this.#underWay.get(hash)
    if (!storing) {
      storing = store().finally(() => this.#underWay.delete(hash))
      this.#underWay.set(hash, storing)
    }
    await storing
    this.#remember(hash)
  }

  async #bring(source: string, path: string): Promise<void> {
    // What has the name but not the size was cut short by something.
    await rm(path, { force: true })
    const unfinished = join(this.#temporary, `.${basename(path)}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`)
    try {
      const cloned = await copyFile(source, unfinished, constants.COPYFILE_FICLONE_FORCE).then(
        () => true,
        () => false,
      )
      if (!cloned) {
        const linked = await link(source, path).then(
          () => true,
          (error: unknown) => codeOf(error) === 'EEXIST',
        )
        if (linked) return
        await copyFile(source, unfinished)
      }
      await rename(unfinished, path)
    } finally {
      await rm(unfinished, { force: true })
    }
  }

  /** The bytes, checked against their hash. */
  async read(ref: MediaRef | string): Promise<Uint8Array> {
    const hash = checkHash(ref)
    const path = this.pathOf(hash)
    const bytes = await withDiskErrors(path, async () => {
      const file = await this.open(hash)
      try {
        return await file.readFile()
      } finally {
        await file.close()
      }
    })
    if (sha256(bytes) !== hash) {
      throw new UserError(`${path} is damaged: its ${bytes.length} bytes do not have the hash that is its name.`, {
        hint: 'Delete the file and play the episode again, or bring it back from a copy.',
      })
    }
    return bytes
  }

  /**
   * The file of the bytes, for reading parts of it. It is a plain file that really lies in the store; whether its bytes
   * have their hash is the caller's to check.
   */
  async open(ref: MediaRef | string): Promise<FileHandle> {
    const path = this.pathOf(ref)
    const file = await withDiskErrors(path, () => this.#open(path))
    if ((await file.stat()).isFile()) return file
    await file.close()
    throw new UserError(`${path} is not a file.`, { hint: 'Put the real file in its place.' })
  }

  async has(ref: MediaRef | string): Promise<boolean> {
    const hash = checkHash(ref)
    if (this.#stored.has(hash)) return true
    return (await sizeOf(this.pathOf(hash))) !== undefined
  }

  /** Where the bytes are, or would be. */
  pathOf(ref: MediaRef | string): string {
    const hash = checkHash(ref)
    return join(this.#folder, hash.slice(0, 2), hash.slice(2))
  }

  #remember(hash: string): void {
    this.#stored.add(hash)
    if (this.#stored.size <= MAX_REMEMBERED) return
    for (const oldest of this.#stored) {
      this.#stored.delete(oldest)
      return
    }
  }

  async #write(hash: string, bytes: Uint8Array): Promise<void> {
    const path = this.pathOf(hash)
    await withDiskErrors(path, async () => {
      await this.#checkShard(hash.slice(0, 2))
      // Another size than its own: cut short by something. The right bytes are at hand, so they replace it.
      if ((await sizeOf(path)) === bytes.length) return
      try {
        await writeAtomically(path, bytes, { temporary: this.#temporary })
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error
        // Someone removed the folders meanwhile.
        this.#checkedShards.clear()
        await this.#checkShard(hash.slice(0, 2))
        await writeAtomically(path, bytes, { temporary: this.#temporary })
      }
    })
  }

  async #checkShard(shard: string): Promise<void> {
    if (this.#checkedShards.has(shard)) return
    const folder = join(this.#folder, shard)
    await makeFolder(this.#temporary)
    await makeFolder(folder)
    await this.#inside(folder)
    this.#checkedShards.add(shard)
  }

  /** Opens a file that really lies in the store: a symbolic link to elsewhere would show other people's files. */
  async #open(path: string) {
    let real: string
    try {
      real = await this.#inside(path)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error
      throw new UserError(`The picture, video or sound ${path} is not there.`, {
        hint: 'It was deleted, or the run was copied without its media folder. Copy media/ along with runs/.',
        cause: error,
      })
    }
    // A pipe in its place must not make anyone wait.
    return open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  }

  async #inside(path: string): Promise<string> {
    const [real, store] = await Promise.all([realpath(path), realpath(this.#store)])
    if (real.startsWith(store + sep)) return real
    throw new UserError(`${path} leads out of the store, to ${real}; symbolic links that leave it are not followed.`, {
      hint: 'Put the real files in its place, or choose another folder for the whole store with --log-dir.',
    })
  }
}

function checkHash(ref: MediaRef | string): string {
  const hash = typeof ref === 'string' ? ref : ref.sha256
  if (SHA256.test(hash)) return hash
  throw new UserError(`${JSON.stringify(hash.slice(0, 80))} is not the SHA-256 of any media.`, {
    hint: 'It has 64 digits from 0 to 9 and a to f.',
  })
}

/** Size of a regular file; `undefined` when there is none (a link is none). */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const found = await lstat(path)
    return found.isFile() ? found.size : undefined
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}
