/** Paid replies, each in a file of its own under the hash of its request: `replies/ab/cdef….json`. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../base/errors.ts'
import { toDiskError, withDiskErrors, makeFolder, writeAtomically } from './disk.ts'

const KEY = /^[0-9a-f]{16,128}$/

export class ReplyFiles {
  readonly #folder: string
  readonly #temporary: string
  /** At most 256: subfolders that are known to be there. */
  readonly #madeShards = new Set<string>()

  constructor(store: string) {
    this.#folder = join(store, 'replies')
    this.#temporary = join(store, 'tmp')
  }

  /** What was put under this key; `undefined` when nothing was, or when the file is broken (which then is removed). */
  async get(key: string): Promise<unknown> {
    const path = this.#pathOf(key)
    let text
    try {
      text = await readFile(path, 'utf8')
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw toDiskError(error, path)
    }
    try {
      return JSON.parse(text) as unknown
    } catch {
      // Asking again costs one reply; a broken one would cost the run. It cannot be removed from a read-only store.
      await rm(path, { force: true }).catch(() => {})
      return undefined
    }
  }

  /** Keeps a value for good. Of two at the same time under one key, one stays, whole. */
  async put(key: string, value: unknown): Promise<void> {
    const path = this.#pathOf(key)
    const text = JSON.stringify(value)
    if (text === undefined) throw new TypeError('A reply must be plain JSON.')
    await withDiskErrors(path, async () => {
      await this.#makeShard(key.slice(0, 2))
      try {
        await writeAtomically(path, text, { temporary: this.#temporary })
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error
        // Someone emptied the cache while the run goes on: that is allowed at any time.
        this.#madeShards.clear()
        await this.#makeShard(key.slice(0, 2))
        await writeAtomically(path, text, { temporary: this.#temporary })
      }
    })
  }

  async #makeShard(shard: string): Promise<void> {
    if (this.#madeShards.has(shard)) return
    await makeFolder(this.#temporary)
    await makeFolder(join(this.#folder, shard))
    this.#madeShards.add(shard)
  }

  #pathOf(key: string): string {
    if (!KEY.test(key)) throw new TypeError('The key of a reply is a hash in lower-case hexadecimal.')
    return join(this.#folder, key.slice(0, 2), `${key.slice(2)}.json`)
  }
}
