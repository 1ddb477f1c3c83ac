/** Content-addressed media files, shared by all runs: `media/ab/cdef…`. */
import { randomBytes } from 'node:crypto'
import { constants, lstatSync, realpathSync } from 'node:fs'
import { copyFile, type FileHandle, link, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { codeOf, UserError } from '../base/errors.ts'
import { sha256, sha256OfFile } from '../base/hash.ts'
import { quickly } from '../base/quick-disk.ts'
import { readSized, readSmall } from '../base/regular-file.ts'
import type { MediaRef, MediaType } from '../media/ref.ts'
import { withDiskErrors, makeFolder, writeAtomically } from './disk.ts'

const SHA256 = /^[0-9a-f]{64}$/
/** Hashes known to be stored, which saves disk lookups; the limit bounds memory. */
const MAX_REMEMBERED = 16_384
/** Non-blocking, in case the path is a named pipe. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
/** A folder that was inside the store may have been replaced by a link. */
const LOOK_AGAIN_MS = 60_000

export class MediaStore {
  readonly #store: string
  readonly #folder: string
  readonly #temporary: string
  /** Hashes that are on disk, oldest first. */
  readonly #stored = new Set<string>()
  readonly #writes = new Map<string, Promise<void>>()
  /** Subfolders that exist and are inside the store; at most 256. */
  readonly #checkedShards = new Set<string>()
  /** When subfolders were found to be inside the store. */
  readonly #inside = new Map<string, number>()

  constructor(store: string) {
    this.#store = store
    this.#folder = join(store, 'media')
    this.#temporary = join(store, 'tmp')
  }

  /**
   * Stores bytes, unless they are stored already, and returns a reference. The bytes must not change before the promise
   * settles.
   */
  async keep(bytes: Uint8Array, type: MediaType, size?: { width: number; height: number }): Promise<MediaRef> {
    const hash = sha256(bytes)
    await this.#once(hash, () => this.#write(hash, bytes))
    return { sha256: hash, type, bytes: bytes.length, ...(size && { width: size.width, height: size.height }) }
  }

  /**
   * Stores an external file without reading it into memory: as a clone or hard link where the file system supports it,
   * otherwise as a copy. If a linked file is modified later, its hash no longer matches when it is read.
   *
   * @param known its SHA-256, if the caller has just computed it
   */
  async keepFile(file: string, type: MediaType, known?: string): Promise<MediaRef> {
    const source = await withDiskErrors(file, () => realpath(file))
    const hash = known ?? (await withDiskErrors(source, () => sha256OfFile(source)))
    const { size } = await withDiskErrors(source, () => stat(source))
    await this.#once(hash, async () => {
      const path = this.pathOf(hash)
      await withDiskErrors(path, async () => {
        await this.#checkShard(hash.slice(0, 2))
        if ((await sizeOf(path)) !== size) await this.#copyIn(source, path)
      })
    })
    return { sha256: hash, type, bytes: size }
  }

  /** Skips hashes known to be stored, and merges concurrent writes of the same hash. */
  async #once(hash: string, store: () => Promise<void>): Promise<void> {
    if (this.#stored.has(hash)) return
    let storing = this.#writes.get(hash)
    if (!storing) {
      storing = store().finally(() => this.#writes.delete(hash))
      this.#writes.set(hash, storing)
    }
    await storing
    this.#remember(hash)
  }

  async #copyIn(source: string, path: string): Promise<void> {
    // A file of another size is truncated; replace it.
    await rm(path, { force: true })
    const temporary = join(this.#temporary, `.${basename(path)}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`)
    try {
      const cloned = await copyFile(source, temporary, constants.COPYFILE_FICLONE_FORCE).then(
        () => true,
        () => false,
      )
      if (!cloned) {
        const linked = await link(source, path).then(
          () => true,
          (error: unknown) => codeOf(error) === 'EEXIST',
        )
        if (linked) return
        await copyFile(source, temporary)
      }
      await rename(temporary, path)
    } finally {
      await rm(temporary, { force: true })
    }
  }

  /** Reads media and verifies its hash. */
  async read(ref: MediaRef | string): Promise<Uint8Array> {
    const hash = checkHash(ref)
    const path = this.pathOf(hash)
    const bytes = await withDiskErrors(path, async () => {
      const small = await this.#readSmall(path)
      if (small) return small
      const { file, size } = await this.#openSized(path)
      try {
        return await readSized(file, size)
      } finally {
        await file.close()
      }
    })
    if (sha256(bytes) !== hash) {
      throw new UserError(`${path} is damaged: the hash of its ${bytes.length} bytes does not match its name.`, {
        hint: 'Delete the file and play the episode again, or restore it from a backup.',
      })
    }
    return bytes
  }

  /** Undefined if it is not a small file in its place: reading it the long way tells what is wrong. */
  async #readSmall(path: string): Promise<Uint8Array | undefined> {
    if (!constants.O_NOFOLLOW) return undefined
    try {
      await this.#checkInside(dirname(path))
      return readSmall(path, READ)
    } catch {
      return undefined
    }
  }

  /**
   * Opens media to read parts of it. It is a regular file inside the store; its hash is not verified.
   */
  async open(ref: MediaRef | string): Promise<FileHandle> {
    const path = this.pathOf(ref)
    return (await withDiskErrors(path, () => this.#openSized(path))).file
  }

  async #openSized(path: string): Promise<{ file: FileHandle; size: number }> {
    const file = await this.#open(path)
    const found = await file.stat()
    if (found.isFile()) return { file, size: found.size }
    await file.close()
    throw new UserError(`${path} is not a file.`, { hint: 'Replace it with the real file.' })
  }

  /** Whether media is stored and its hash matches. */
  async isIntact(ref: MediaRef | string): Promise<boolean> {
    return this.read(ref).then(
      () => true,
      () => false,
    )
  }

  async has(ref: MediaRef | string): Promise<boolean> {
    const hash = checkHash(ref)
    if (this.#stored.has(hash)) return true
    return (await sizeOf(this.pathOf(hash))) !== undefined
  }

  /** The path of media, stored or not. */
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
      // A truncated or damaged file is replaced by the bytes at hand.
      if ((await sizeOf(path)) === bytes.length && (await this.isIntact(hash))) return
      try {
        await writeAtomically(path, bytes, { temporary: this.#temporary })
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error
        // The folders were removed in the meantime.
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
    await this.#resolveInside(folder)
    this.#checkedShards.add(shard)
  }

  /** Refuses symbolic links out of the store, which could expose other files. */
  async #open(path: string): Promise<FileHandle> {
    try {
      // Undefined on Windows, where every path is looked up.
      if (!constants.O_NOFOLLOW) return await open(await this.#resolveInside(path), READ)
      await this.#checkInside(dirname(path))
      return await open(path, READ).catch(async (error: unknown) => {
        if (codeOf(error) !== 'ELOOP') throw error
        return open(await this.#resolveInside(path), READ)
      })
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error
      throw new UserError(`Media file ${path} is missing.`, {
        hint: 'It was deleted, or the run was copied without its media. Copy media/ along with runs/.',
        cause: error,
      })
    }
  }

  /** Looked up once in a while, and not for each of thousands of files. */
  async #checkInside(folder: string): Promise<void> {
    const known = this.#inside.get(folder)
    if (known !== undefined && performance.now() - known < LOOK_AGAIN_MS) return
    await this.#resolveInside(folder)
    this.#inside.set(folder, performance.now())
  }

  async #resolveInside(path: string): Promise<string> {
    const [real, store] = await Promise.all([realPath(path), realPath(this.#store)])
    if (real.startsWith(store + sep)) return real
    throw new UserError(`${path} is a symbolic link out of the store, to ${real}; such links are not followed.`, {
      hint: 'Replace it with the real files, or choose another store with --log-dir.',
    })
  }
}

async function realPath(path: string): Promise<string> {
  return quickly(() => realpathSync.native(path)) ?? realpath(path)
}

function checkHash(ref: MediaRef | string): string {
  const hash = typeof ref === 'string' ? ref : ref.sha256
  if (SHA256.test(hash)) return hash
  throw new UserError(`${JSON.stringify(hash.slice(0, 80))} is not a SHA-256 hash.`, {
    hint: 'It must have 64 digits from 0 to 9 and a to f.',
  })
}

/** Size of a regular file; undefined if there is none. Links are not followed. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const found = quickly(() => lstatSync(path)) ?? (await lstat(path))
    return found.isFile() ? found.size : undefined
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}
