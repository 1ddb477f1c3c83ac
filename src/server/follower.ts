/** Follows the journal of a run in progress and keeps its score up to date. */
import type { AnySuite } from '../engine/suite.ts'
import { LiveMeans } from '../report/live.ts'
import { episodeKey } from '../store/journal.ts'
import { counts, type EpisodeLine, type RunHeader } from '../store/records.ts'
import type { RunReader } from '../store/run-reader.ts'
import type { Headline } from './api.ts'
import type { Totals } from './rows.ts'

const RATE_WINDOW_MS = 30_000

type Journal = Pick<RunReader, 'journalSize' | 'episodesSince'> & { header: Pick<RunHeader, 'profile' | 'options'> }

export class JournalFollower {
  readonly #reader: Journal
  readonly #suite: AnySuite | null
  /** By episode key; the last line of an episode wins. */
  #lines = new Map<string, EpisodeLine>()
  #end = 0
  #means: LiveMeans | null = null
  #totals: Totals = { finished: 0, counted: 0, usd: 0 }
  /** Finished counts over time, oldest first. */
  #progress: { at: number; finished: number }[] = []
  #current: Promise<void> = Promise.resolve()
  /** A read that has not started. */
  #next: Promise<void> | null = null

  constructor(reader: Journal, suite: AnySuite | null) {
    this.#reader = reader
    this.#suite = suite
    this.#reset()
  }

  /**
   * Reads everything written before the call. A read in flight may have started earlier, so another one follows it;
   * concurrent callers share that one.
   */
  update(): Promise<void> {
    this.#next ??= this.#current
      .catch(() => undefined)
      .then(() => {
        this.#next = null
        this.#current = this.#read()
        return this.#current
      })
    return this.#next
  }

  get totals(): Totals {
    return this.#totals
  }

  /** Sorted by sample index and epoch. */
  lines(): EpisodeLine[] {
    return [...this.#lines.values()].sort((a, b) => a.index - b.index || a.epoch - b.epoch)
  }

  /** The score so far. */
  headline(): Headline | null {
    if (!this.#suite || !this.#means) return null
    const { headline, rows } = this.#suite.summary(this.#means, this.#reader.header)
    const row = rows.find(({ key }) => key === headline)
    if (!row) return null
    const { title, value, chance = null, unit, better } = row
    return { title, value, interval: null, chance, unit, better }
  }

  /** Episodes per second; `null` during the first second. */
  rate(now: number): number | null {
    while (this.#progress.length > 2 && now - this.#progress[1]!.at > RATE_WINDOW_MS) this.#progress.shift()
    const [first] = this.#progress
    if (!first || now - first.at < 1000) return null
    return (this.#totals.finished - first.finished) / ((now - first.at) / 1000)
  }

  async #read(): Promise<void> {
    // A journal that shrank was replaced.
    if ((await this.#reader.journalSize()) < this.#end) this.#reset()
    const { lines, end } = await this.#reader.episodesSince(this.#end)
    this.#end = end
    const replayed = lines.some((line) => this.#lines.has(episodeKey(line)))
    for (const line of lines) this.#lines.set(episodeKey(line), line)
    if (replayed) {
      // Sums cannot be undone, so a replayed episode requires starting over.
      this.#clearSums()
      for (const line of this.#lines.values()) this.#add(line)
    } else {
      for (const line of lines) this.#add(line)
    }
    const at = performance.now()
    if (this.#progress.length === 0 || this.#progress.at(-1)!.finished !== this.#totals.finished) {
      this.#progress.push({ at, finished: this.#totals.finished })
    }
  }

  #add(line: EpisodeLine): void {
    this.#means?.add(line)
    const { usd } = line.usage
    this.#totals = {
      finished: this.#totals.finished + 1,
      counted: this.#totals.counted + (counts(line.status) ? 1 : 0),
      usd: this.#totals.usd === null || usd === null ? null : this.#totals.usd + usd,
    }
  }

  #reset(): void {
    this.#lines = new Map()
    this.#end = 0
    this.#progress = []
    this.#clearSums()
  }

  #clearSums(): void {
    this.#means = this.#suite && new LiveMeans(this.#suite.metrics)
    this.#totals = { finished: 0, counted: 0, usd: 0 }
  }
}
