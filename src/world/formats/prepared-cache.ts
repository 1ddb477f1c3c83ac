import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync, utimesSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { hashOf } from '../../base/hash.ts'
import { type ArraysFile, bytesOf, HEAD_BYTES, packArrays, unpackArrays } from './arrays-file.ts'
import type { FileIdentity } from './file-identity.ts'

/** Clocks of file systems tick this coarsely at most: what was noted sooner after a change may miss a second one. */
const SETTLED_MS = 100
const noteSchema = z.object({ identity: z.string(), sha256: z.string() })

export interface PreparedCacheOptions {
  /** The oldest files are removed beyond this. Default 4 GiB. */
  limitBytes?: number
}

/**
 * Prepared scenes on disk, by what they were made from: the hash of the file, how it was read, and the version of what
 * prepared it. A file that is cut off or of another version counts as absent; the cache can be deleted at any time.
 *
 * @example
 * const cache = new PreparedCache(folder)
 * const scene = await cache.through({ file: sha256, up: 'z', renderer: 3 }, () => prepare(mesh))
 */
export class PreparedCache {
  readonly folder: string
  readonly #limitBytes: number

  constructor(folder: string, { limitBytes = 4 * 2 ** 30 }: PreparedCacheOptions = {}) {
    this.folder = folder
    this.#limitBytes = limitBytes
  }

  async get(key: unknown): Promise<ArraysFile | undefined> {
    const path = this.#path(key)
    try {
      const bytes = await readWhole(path)
      const file = unpackArrays(bytes, path)
      const now = new Date()
      await utimes(path, now, now).catch(() => {})
      return file
    } catch {
      return undefined
    }
  }

  /**
   * One array of a file, read straight into memory that the caller provides: `make` gets the length in bytes and a
   * function that fills such a piece of memory. Undefined when there is nothing for the key.
   */
  readInto<T>(
    key: unknown,
    name: string,
    make: (byteLength: number, read: (into: Uint8Array) => void) => T,
  ): { meta: unknown; value: T } | undefined {
    const path = this.#path(key)
    let file: number | undefined
    try {
      file = openSync(path, 'r')
      const { size } = fstatSync(file)
      const beginning = new Uint8Array(Math.min(size, HEAD_BYTES))
      fill(file, beginning, 0)
      const { meta, at, byteLength } = bytesOf(beginning, size, name, path)
      const opened = file
      const value = make(byteLength, (into) => fill(opened, into, at))
      const now = new Date()
      utimesSync(path, now, now)
      return { meta, value }
    } catch {
      return undefined
    } finally {
      if (file !== undefined) closeSync(file)
    }
  }

  /** Writes next to and renames, so that a reader never sees half a file. A full disk only means no cache. */
  async put(key: unknown, file: ArraysFile): Promise<void> {
    const path = this.#path(key)
    const draft = `${path}.${process.pid}.draft`
    try {
      await mkdir(this.folder, { recursive: true })
      const handle = await open(draft, 'w')
      try {
        await handle.writeFile(packArrays(file))
      } finally {
        await handle.close()
      }
      await rename(draft, path)
      await this.#trim()
    } catch {
      await rm(draft, { force: true }).catch(() => {})
    }
  }

  async through(key: unknown, make: () => ArraysFile | Promise<ArraysFile>): Promise<ArraysFile> {
    const known = await this.get(key)
    if (known) return known
    const made = await make()
    await this.put(key, made)
    return made
  }

  /** The hash that `noteHash` kept for a file, as long as the file was not touched since. */
  knownHash(path: string, identity: FileIdentity): string | undefined {
    const note = this.#notePath(path)
    try {
      const { identity: noted, sha256 } = noteSchema.parse(JSON.parse(readFileSync(note, 'utf8')))
      const settled = statSync(note).mtimeMs - identity.changedMs >= SETTLED_MS
      return settled && noted === identity.text ? sha256 : undefined
    } catch {
      return undefined
    }
  }

  /** Keeps a file's hash, so that a large mesh need not be read to find its prepared form. */
  async noteHash(path: string, { text }: FileIdentity, sha256: string): Promise<void> {
    const note = this.#notePath(path)
    const draft = `${note}.${process.pid}.draft`
    try {
      await mkdir(this.folder, { recursive: true })
      await writeFile(draft, JSON.stringify({ identity: text, sha256 }))
      await rename(draft, note)
    } catch {
      await rm(draft, { force: true }).catch(() => {})
    }
  }

  #notePath(path: string): string {
    return join(this.folder, `${hashOf({ path: resolve(path) })}.hash`)
  }

  #path(key: unknown): string {
    return join(this.folder, `${hashOf(key)}.scene`)
  }

  async #trim(): Promise<void> {
    const names = (await readdir(this.folder)).filter((name) => /\.(scene|hash)$/.test(name))
    const files = await Promise.all(
      names.map(async (name) => {
        const { size, mtimeMs } = await stat(join(this.folder, name))
        return { name, size, mtimeMs }
      }),
    )
    let total = files.reduce((sum, { size }) => sum + size, 0)
    for (const { name, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (total <= this.#limitBytes) return
      await rm(join(this.folder, name), { force: true })
      total -= size
    }
  }
}

function fill(file: number, into: Uint8Array, at: number): void {
  for (let done = 0; done < into.byteLength;) {
    const count = readSync(file, into, done, into.byteLength - done, at + done)
    if (count === 0) throw new RangeError('the file ends early')
    done += count
  }
}

async function readWhole(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    // One aligned piece of memory of its own, which the arrays then are views of.
    const bytes = new Uint8Array(size)
    let at = 0
    while (at < size) {
      const { bytesRead } = await handle.read(bytes, at, size - at, at)
      if (bytesRead === 0) break
      at += bytesRead
    }
    return bytes.subarray(0, at)
  } finally {
    await handle.close()
  }
}
