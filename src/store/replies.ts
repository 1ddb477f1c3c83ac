/** The response cache: one file per reply, named by the hash of the request: `replies/ab/cdef….json`. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../base/errors.ts'
import { parseForeignJson } from '../base/foreign/json.ts'
import { readRegular } from '../base/regular-file.ts'
import { statIfExists, toDiskError, withDiskErrors, makeFolder, writeAtomically } from './disk.ts'

/** Twice the limit on a reply from the network: JSON escapes some of it. */
const MAX_REPLY_BYTES = 32 * 1024 * 1024
const KEY = /^[0-9a-f]{16,128}$/

export class ReplyFiles {
  readonly #folder: string
  readonly #temporary: string
  /** Subfolders known to exist; at most 256. */
  readonly #madeShards = new Set<string>()

  constructor(store: string) {
    this.#folder = join(store, 'replies')
    this.#temporary = join(store, 'tmp')
  }

  /** The value for this key; undefined if there is none. An invalid file is removed. */
  async get(key: string): Promise<unknown> {
    const path = this.#pathOf(key)
    let text
    try {
      text = (await readRegular(path, MAX_REPLY_BYTES)).toString('utf8')
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw toDiskError(error, path)
    }
    try {
      return parseForeignJson(text)
    } catch {
      // Asking the model again is cheaper than failing the run. Removal fails in a read-only store.
      await rm(path, { force: true }).catch(() => {})
      return undefined
    }
  }

  async has(key: string): Promise<boolean> {
    return (await statIfExists(this.#pathOf(key))) !== undefined
  }

  /** Stores a value. Of two concurrent writes to one key, one wins. */
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
        // The cache may be deleted at any time, also while a run is playing.
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
    if (!KEY.test(key)) throw new TypeError('A reply key must be a hash in lowercase hexadecimal.')
    return join(this.#folder, key.slice(0, 2), `${key.slice(2)}.json`)
  }
}
