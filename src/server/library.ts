/** All runs of a store, as the pages see them. */
import { lstat, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { codeOf } from '../base/errors.ts'
import { HEADER_FILE } from '../store/run-files.ts'
import type { SuiteFinder } from '../library/suites.ts'
import type { Store } from '../store/store.ts'
import { isRunId } from '../store/run-id.ts'
import type { RunRow } from './api.ts'
import { notFound, publicWords } from './http/problem.ts'
import { RunEntry } from './run-entry.ts'

/** Runs looked at side by side. */
const SIDE_BY_SIDE = 16
/** Journals of which the episodes are kept in memory, by their bytes on disk. */
const KEPT_JOURNAL_BYTES = 200 * 1024 * 1024

export class Library {
  readonly store: Store
  readonly words: (text: string) => string
  readonly #finder: SuiteFinder
  readonly #entries = new Map<string, Promise<RunEntry>>()
  /** Bytes of the journals whose episodes are in memory, the longest unused first. */
  readonly #kept = new Map<string, number>()

  constructor(store: Store, finder: SuiteFinder) {
    this.store = store
    this.#finder = finder
    this.words = publicWords(store.dir)
  }

  /** By its whole id: names come from strangers. */
  async run(id: string): Promise<RunEntry> {
    if (!isRunId(id))
      throw notFound('There is no such run here.', 'The id of a run has only letters, digits and . _ + - in it.')
    let entry = this.#entries.get(id)
    if (!entry) {
      entry = this.#open(id)
      this.#entries.set(id, entry)
      entry.catch(() => this.#entries.delete(id))
    }
    const found = await entry.catch(async (error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error
      throw notFound(`There is no run ${id} here.`, 'It was deleted, or it is in another folder: --log-dir.')
    })
    return found
  }

  async #open(id: string): Promise<RunEntry> {
    const folder = join(this.store.dir, 'runs', id)
    const [real, store] = await Promise.all([realpath(folder), realpath(this.store.dir)])
    if (!real.startsWith(store + sep)) throw notFound(`The run ${id} is a link that leads out of the store.`)
    // Before anything of it is read: a header that is a link is not the header of a run.
    if (!(await lstat(join(folder, HEADER_FILE))).isFile()) throw notFound(`There is no run ${id} here.`)
    return new RunEntry(await this.store.openRunById(id), this.#finder, this.words, this.store.dir)
  }

  /** A run whose episodes are about to be used: those that were not for long make room. */
  async runWithLines(id: string): Promise<RunEntry> {
    const entry = await this.run(id)
    this.#kept.delete(id)
    this.#kept.set(id, await entry.reader.journalSize())
    let bytes = [...this.#kept.values()].reduce((sum, size) => sum + size, 0)
    for (const [other, size] of this.#kept) {
      if (bytes <= KEPT_JOURNAL_BYTES || other === id) break
      this.#kept.delete(other)
      bytes -= size
      void this.#entries.get(other)?.then((unused) => unused.forgetLines())
    }
    return entry
  }

  async ids(): Promise<string[]> {
    const ids = await this.store.runIds()
    const there = new Set(ids)
    for (const id of this.#entries.keys()) {
      if (there.has(id)) continue
      this.#entries.delete(id)
      this.#kept.delete(id)
    }
    return ids
  }

  /** The newest first. A run whose header cannot be read is left out; it cannot be opened either. */
  async rows(): Promise<RunRow[]> {
    const ids = await this.ids()
    const rows: (RunRow | null)[] = []
    for (let at = 0; at < ids.length; at += SIDE_BY_SIDE) {
      const some = ids.slice(at, at + SIDE_BY_SIDE).map((id) => this.row(id).catch(() => null))
      rows.push(...(await Promise.all(some)))
    }
    return rows.filter((row) => row !== null).sort((a, b) => compare(b.created, a.created) || compare(b.id, a.id))
  }

  /** Reads the episodes of a run once, and keeps what is sent of them. */
  async prepare(id: string): Promise<void> {
    const entry = await this.run(id)
    await entry.columns()
    if (!this.#kept.has(id)) entry.forgetLines()
  }

  async row(id: string): Promise<RunRow> {
    return (await this.run(id)).row()
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
