/**
 * Notifies listeners of progress. Folders of running runs are watched; since not every file system reports changes, and
 * any run may be resumed, all runs are also polled every few seconds. Idle without listeners.
 */
import { type FSWatcher, watch } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { LiveEvent, RunRow } from './api.ts'
import type { Library } from './library.ts'

const MIN_INTERVAL_MS = 250
const FULL_SCAN_MS = 2000

type Listener = (event: LiveEvent) => void

export class LiveRuns {
  readonly #library: Library
  readonly #listeners = new Set<Listener>()
  /** The last state sent for each run. */
  readonly #lastSent = new Map<string, { stamp: string; row: RunRow }>()
  readonly #watchers = new Map<string, FSWatcher>()
  readonly #dirty = new Set<string>()
  #scanAll = true
  #timer: NodeJS.Timeout | null = null
  #poll: NodeJS.Timeout | null = null
  #scanning = false

  constructor(library: Library) {
    this.#library = library
  }

  get listeners(): number {
    return this.#listeners.size
  }

  /** First sends all running runs. Returns a function that stops listening. */
  listen(listener: Listener): () => void {
    for (const { row } of this.#lastSent.values()) if (row.state === 'running') void this.#notify(row, [listener])
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
    this.#lastSent.clear()
    this.#dirty.clear()
  }

  #start(): void {
    this.#scanAll = true
    this.#poll = setInterval(() => {
      this.#scanAll = true
      this.#schedule(0)
    }, FULL_SCAN_MS)
    this.#poll.unref()
    const runs = join(this.#library.store.dir, 'runs')
    // The folder does not exist before the first run.
    void mkdir(runs, { recursive: true })
      .catch(() => undefined)
      .then(() => this.#watch('', runs, () => (this.#scanAll = true)))
    this.#schedule(0)
  }

  #watch(name: string, folder: string, onChange: () => void): void {
    if (this.#watchers.has(name) || this.#listeners.size === 0) return
    try {
      const watcher = watch(folder, { persistent: false }, () => {
        onChange()
        this.#schedule(MIN_INTERVAL_MS)
      })
      watcher.on('error', () => this.#unwatch(name))
      this.#watchers.set(name, watcher)
    } catch {
      // Cannot be watched; polling still covers it.
    }
  }

  #unwatch(name: string): void {
    this.#watchers.get(name)?.close()
    this.#watchers.delete(name)
  }

  #schedule(ms: number): void {
    if (this.#listeners.size === 0) return
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      void this.#scan()
    }, ms)
  }

  async #scan(): Promise<void> {
    if (this.#scanning) return this.#schedule(MIN_INTERVAL_MS)
    this.#scanning = true
    try {
      const first = this.#lastSent.size === 0
      const ids = this.#scanAll ? await this.#library.ids().catch(() => []) : [...this.#dirty]
      this.#scanAll = false
      this.#dirty.clear()
      for (const id of ids) {
        if (this.#listeners.size === 0) return
        await this.#check(id, first).catch(() => this.#unwatch(id))
      }
    } finally {
      this.#scanning = false
    }
  }

  async #check(id: string, first: boolean): Promise<void> {
    const entry = await this.#library.run(id)
    const stamp = await entry.stamp()
    const before = this.#lastSent.get(id)
    if (before?.stamp === stamp) return
    // The leaderboard already shows runs that were idle before the first listener.
    if (first && !stamp.includes('|running|')) {
      this.#lastSent.set(id, { stamp, row: { ...(before?.row ?? (await entry.row())) } })
      return
    }
    const row = await entry.row()
    if (this.#listeners.size === 0) return
    this.#lastSent.set(id, { stamp, row })
    if (row.state === 'running') this.#watch(id, entry.reader.dir, () => this.#dirty.add(id))
    else this.#unwatch(id)
    await this.#notify(row, this.#listeners)
  }

  async #notify(row: RunRow, listeners: Iterable<Listener>): Promise<void> {
    const rate = row.state === 'running' ? (await this.#library.run(row.id)).rate() : null
    for (const listener of listeners) listener({ run: row, rate })
  }
}
