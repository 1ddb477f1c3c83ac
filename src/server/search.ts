/**
 * Full-text search in the events of runs. A thread reads the log, once for all texts that are waiting for the same run;
 * equal searches share a result.
 */
import { join } from 'node:path'
import { LruCache } from '../base/lru-cache.ts'
import { Thread } from '../base/thread.ts'
import type { EpisodeLine } from '../store/records.ts'
import { EVENTS_FILE } from '../store/run-files.ts'
import { HttpProblem } from './http/problem.ts'

const MAX_TEXT_LENGTH = 1000
/** Different searches that may wait at a time. */
const MAX_QUERIES = 64
const MAX_RESULTS = 16

/** Calls served by `search-thread.ts`. */
export interface SearchHandlers {
  /**
   * Rows of the episodes that contain each text, ignoring ASCII case.
   *
   * @param events offset and length of the events of each row
   */
  scan(pass: {
    path: string
    events: Float64Array
    queries: readonly { query: number; text: string }[]
  }): Promise<Map<number, number[]>>
  /** Nobody waits for this query any more. */
  drop(query: number): void
}

/** A run's events, as far as they are written. */
export interface Searchable {
  dir: string
  /** Changes when the events do. */
  stamp: string
  lines: readonly EpisodeLine[]
}

interface Query {
  number: number
  key: string
  run: Searchable
  text: string
  waiting: number
  isRunning: boolean
  result: Promise<number[]>
  resolve: (rows: number[]) => void
  reject: (error: unknown) => void
}

export class Searches {
  readonly #thread = new Thread<SearchHandlers>('./search-thread', import.meta.url, {
    title: 'the thread that searches',
    handlers: {},
  })
  /** In the order of their arrival. */
  readonly #queries = new Map<string, Query>()
  readonly #results = new LruCache<number[]>(MAX_RESULTS)
  #isScanning = false
  #count = 0

  /** Positions in `lines` of the episodes that contain the text. A search that nobody waits for any more is dropped. */
  async search(run: Searchable, searched: string, signal: AbortSignal): Promise<number[]> {
    if (searched.length > MAX_TEXT_LENGTH) {
      throw new HttpProblem(400, `Search text too long. The limit is ${MAX_TEXT_LENGTH} characters.`)
    }
    const text = JSON.stringify(searched)
      .slice(1, -1)
      .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    if (text === '') return []
    signal.throwIfAborted()
    const key = `${run.dir} ${run.stamp} ${text}`
    const known = this.#results.get(key)
    if (known) return known
    const query = this.#queries.get(key) ?? this.#add(key, run, text)
    query.waiting += 1
    const leave = (): void => {
      query.waiting -= 1
      if (query.waiting === 0) this.#drop(query, signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await query.result
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  #add(key: string, run: Searchable, text: string): Query {
    if (this.#queries.size >= MAX_QUERIES) throw new HttpProblem(503, 'Too many searches.', 'Try again in a moment.')
    let resolve: Query['resolve'] = () => undefined
    let reject: Query['reject'] = () => undefined
    const result = new Promise<number[]>((done, fail) => ([resolve, reject] = [done, fail]))
    const query = { number: ++this.#count, key, run, text, waiting: 0, isRunning: false, result, resolve, reject }
    this.#queries.set(key, query)
    // Searches that arrive together share a pass.
    setImmediate(() => void this.#scan())
    return query
  }

  #drop(query: Query, reason: unknown): void {
    if (this.#queries.get(query.key) === query) this.#queries.delete(query.key)
    if (query.isRunning) this.#thread.send('drop', query.number)
    query.reject(reason)
  }

  /** One pass at a time: more would only wait for the same disk and memory. */
  async #scan(): Promise<void> {
    const [first] = this.#queries.values()
    if (this.#isScanning || !first) return
    this.#isScanning = true
    const { dir, stamp, lines } = first.run
    const pass = [...this.#queries.values()].filter(({ run }) => run.dir === dir && run.stamp === stamp)
    for (const query of pass) query.isRunning = true
    const queries = pass.map(({ number, text }) => ({ query: number, text }))
    const events = Float64Array.from(lines.flatMap(({ events: [offset, length] }) => [offset, length]))
    try {
      const found = await this.#thread.call('scan', { path: join(dir, EVENTS_FILE), events, queries }, [events.buffer])
      for (const { number, key, resolve } of pass) {
        const rows = found.get(number)
        if (!rows) continue
        this.#results.set(key, rows)
        resolve(rows)
      }
    } catch (error) {
      for (const { reject } of pass) reject(error)
    }
    for (const query of pass) if (this.#queries.get(query.key) === query) this.#queries.delete(query.key)
    this.#isScanning = false
    void this.#scan()
  }
}
