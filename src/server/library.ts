/** All runs of a store. */
import { lstat, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { codeOf } from '../base/errors.ts'
import { HEADER_FILE } from '../store/run-files.ts'
import type { SuiteFinder } from '../library/suites.ts'
import type { Store } from '../store/store.ts'
import { isRunId } from '../store/run-id.ts'
import type { RunRow } from './api.ts'
import { notFound, redactStorePath } from './http/problem.ts'
import { RunEntry } from './run-entry.ts'

const CONCURRENT_READS = 16
/** Total size on disk of the journals whose episodes stay in memory. */
const MAX_LOADED_JOURNAL_BYTES = 200 * 1024 * 1024

export class Library {
  readonly store: Store
  readonly redact: (text: string) => string
  readonly #finder: SuiteFinder
  readonly #entries = new Map<string, Promise<RunEntry>>()
  /** Journal sizes of runs whose episodes are in memory, least recently used first. */
  readonly #loaded = new Map<string, number>()

  constructor(store: Store, finder: SuiteFinder) {
    this.store = store
    this.#finder = finder
    this.redact = redactStorePath(store.dir)
  }

  /** Requires the full id, validated because it comes from the URL. */
  async run(id: string): Promise<RunEntry> {
    if (!isRunId(id)) throw notFound('No such run.', 'Run ids consist of letters, digits and . _ + -')
    let entry = this.#entries.get(id)
    if (!entry) {
      entry = this.#open(id)
      this.#entries.set(id, entry)
      entry.catch(() => this.#entries.delete(id))
    }
    const found = await entry.catch(async (error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error
      throw notFound(`No such run: ${id}.`, 'It may have been deleted, or be in another store (--log-dir).')
    })
    return found
  }

  async #open(id: string): Promise<RunEntry> {
    const folder = join(this.store.dir, 'runs', id)
    const [real, store] = await Promise.all([realpath(folder), realpath(this.store.dir)])
    if (!real.startsWith(store + sep)) throw notFound(`Run ${id} is a symbolic link to a folder outside the store.`)
    // Checked before reading: a symbolic link is not accepted as a header.
    if (!(await lstat(join(folder, HEADER_FILE))).isFile()) throw notFound(`No such run: ${id}.`)
    return new RunEntry(await this.store.openRunById(id), this.#finder, this.redact, this.store.dir)
  }

  /** Opens a run whose episodes are about to be used and unloads the least recently used ones. */
  async runWithLines(id: string): Promise<RunEntry> {
    const entry = await this.run(id)
    this.#loaded.delete(id)
    this.#loaded.set(id, await entry.reader.journalSize())
    let bytes = [...this.#loaded.values()].reduce((sum, size) => sum + size, 0)
    for (const [other, size] of this.#loaded) {
      if (bytes <= MAX_LOADED_JOURNAL_BYTES || other === id) break
      this.#loaded.delete(other)
      bytes -= size
      void this.#entries.get(other)?.then((unused) => unused.forgetLines())
    }
    return entry
  }

  async ids(): Promise<string[]> {
    const ids = await this.store.runIds()
    const existing = new Set(ids)
    for (const id of this.#entries.keys()) {
      if (existing.has(id)) continue
      this.#entries.delete(id)
      this.#loaded.delete(id)
    }
    return ids
  }

  /** Newest first. Runs with an unreadable header are skipped. */
  async rows(): Promise<RunRow[]> {
    const ids = await this.ids()
    const rows: (RunRow | null)[] = []
    for (let at = 0; at < ids.length; at += CONCURRENT_READS) {
      const some = ids.slice(at, at + CONCURRENT_READS).map((id) => this.row(id).catch(() => null))
      rows.push(...(await Promise.all(some)))
    }
    return rows.filter((row) => row !== null).sort((a, b) => compare(b.created, a.created) || compare(b.id, a.id))
  }

  /** Builds and caches the columns of a run. */
  async prepare(id: string): Promise<void> {
    const entry = await this.run(id)
    await entry.columns()
    if (!this.#loaded.has(id)) entry.forgetLines()
  }

  async row(id: string): Promise<RunRow> {
    return (await this.run(id)).row()
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
