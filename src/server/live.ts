/**
 * Tells who listens which runs move. Folders of runs that go on are watched; since not every file system tells, and a
 * run may start again at any time, everything is looked at every few seconds as well. Nobody listens: nothing is done.
 */
import { type FSWatcher, watch } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { LiveEvent, RunRow } from './api.ts'
import type { Library } from './library.ts'

/** At least this long between two looks at the same run. */
const SHORTEST_GAP_MS = 250
const LOOK_AT_ALL_MS = 2000

type Listener = (event: LiveEvent) => void

export class LiveRuns {
  readonly #library: Library
  readonly #listeners = new Set<Listener>()
  /** What was told of each run last. */
  readonly #told = new Map<string, { stamp: string; row: RunRow }>()
  readonly #watchers = new Map<string, FSWatcher>()
  readonly #dirty = new Set<string>()
  #everything = true
  #timer: NodeJS.Timeout | null = null
  #poll: NodeJS.Timeout | null = null
  #looking = false

  constructor(library: Library) {
    this.#library = library
  }

  get listeners(): number {
    return this.#listeners.size
  }

  /** The first thing told is every run that goes on. Gives back how to stop listening. */
  listen(listener: Listener): () => void {
    for (const { row } of this.#told.values()) if (row.state === 'running') void this.#tell(row, [listener])
    this.#listeners.add(listener)
    if (this.#listeners.size === 1) this.#start()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.stop()
    }
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    if (this.#poll) clearInterval(this.#poll)
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#timer = null
    this.#poll = null
    this.#watchers.clear()
    this.#told.clear()
    this.#dirty.clear()
  }

  #start(): void {
    this.#everything = true
    this.#poll = setInterval(() => {
      this.#everything = true
      this.#soon(0)
    }, LOOK_AT_ALL_MS)
    this.#poll.unref()
    const runs = join(this.#library.store.dir, 'runs')
    // A store without runs yet: its folder is there as soon as the first one starts.
    void mkdir(runs, { recursive: true })
      .catch(() => undefined)
      .then(() => this.#watch('', runs, () => (this.#everything = true)))
    this.#soon(0)
  }

  #watch(name: string, folder: string, moved: () => void): void {
    if (this.#watchers.has(name) || this.#listeners.size === 0) return
    try {
      const watcher = watch(folder, { persistent: false }, () => {
        moved()
        this.#soon(SHORTEST_GAP_MS)
      })
      watcher.on('error', () => this.#unwatch(name))
      this.#watchers.set(name, watcher)
    } catch {
      // It cannot be watched: then it is looked at like all others.
    }
  }

  #unwatch(name: string): void {
    this.#watchers.get(name)?.close()
    this.#watchers.delete(name)
  }

  #soon(ms: number): void {
    if (this.#listeners.size === 0) return
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      void this.#look()
    }, ms)
  }

  async #look(): Promise<void> {
    if (this.#looking) return this.#soon(SHORTEST_GAP_MS)
    this.#looking = true
    try {
      const first = this.#told.size === 0
      const ids = this.#everything ? await this.#library.ids().catch(() => []) : [...this.#dirty]
      this.#everything = false
      this.#dirty.clear()
      for (const id of ids) {
        if (this.#listeners.size === 0) return
        await this.#lookAt(id, first).catch(() => this.#unwatch(id))
      }
    } finally {
      this.#looking = false
    }
  }

  async #lookAt(id: string, first: boolean): Promise<void> {
    const entry = await this.#library.run(id)
    const stamp = await entry.stamp()
    const before = this.#told.get(id)
    if (before?.stamp === stamp) return
    // What stood still before anyone listened is on the board already.
    if (first && !stamp.includes('|running|')) {
      this.#told.set(id, { stamp, row: { ...(before?.row ?? (await entry.row())) } })
      return
    }
    const row = await entry.row()
    if (this.#listeners.size === 0) return
    this.#told.set(id, { stamp, row })
    if (row.state === 'running') this.#watch(id, entry.reader.dir, () => this.#dirty.add(id))
    else this.#unwatch(id)
    await this.#tell(row, this.#listeners)
  }

  async #tell(row: RunRow, listeners: Iterable<Listener>): Promise<void> {
    const rate = row.state === 'running' ? (await this.#library.run(row.id)).rate() : null
    for (const listener of listeners) listener({ run: row, rate })
  }
}
