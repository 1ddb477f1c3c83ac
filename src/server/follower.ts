/** Follows the journal of a run that goes on: reads what is new, and keeps the running score. */
import type { AnySuite } from '../engine/suite.ts'
import { LiveMeans } from '../report/live.ts'
import { episodeKey } from '../store/journal.ts'
import { counts, type EpisodeLine, type RunHeader } from '../store/records.ts'
import type { RunReader } from '../store/run-reader.ts'
import type { Headline } from './api.ts'
import type { Totals } from './rows.ts'

/** The rate is of this long a time. */
const RATE_MS = 30_000

/** What is read of a run. */
type Journal = Pick<RunReader, 'journalSize' | 'episodesSince'> & { header: Pick<RunHeader, 'profile' | 'options'> }

export class Follower {
  readonly #reader: Journal
  readonly #suite: AnySuite | null
  /** By key; the last line of an episode wins. */
  #lines = new Map<string, EpisodeLine>()
  #end = 0
  #means: LiveMeans | null = null
  #totals: Totals = { finished: 0, counted: 0, usd: 0 }
  /** How many were finished when, the oldest first. */
  #pace: { at: number; finished: number }[] = []
  #underWay: Promise<void> = Promise.resolve()
  /** A reading that has not begun. */
  #next: Promise<void> | null = null

  constructor(reader: Journal, suite: AnySuite | null) {
    this.#reader = reader
    this.#suite = suite
    this.#reset()
  }

  /**
   * Takes in all that was written before the call. A reading that is under way may have begun earlier, so it is waited
   * for and another one follows; whoever asks in the meantime shares that one.
   */
  update(): Promise<void> {
    this.#next ??= this.#underWay
      .catch(() => undefined)
      .then(() => {
        this.#next = null
        this.#underWay = this.#read()
        return this.#underWay
      })
    return this.#next
  }

  get totals(): Totals {
    return this.#totals
  }

  /** By place in the source and repeat. */
  lines(): EpisodeLine[] {
    return [...this.#lines.values()].sort((a, b) => a.index - b.index || a.epoch - b.epoch)
  }

  /** The running score. */
  headline(): Headline | null {
    if (!this.#suite || !this.#means) return null
    const { headline, rows } = this.#suite.summary(this.#means, this.#reader.header)
    const row = rows.find(({ key }) => key === headline)
    if (!row) return null
    const { title, value, chance = null, unit, better } = row
    return { title, value, interval: null, chance, unit, better }
  }

  /** Episodes a second; `null` before there is a time to speak of. */
  rate(now: number): number | null {
    while (this.#pace.length > 2 && now - this.#pace[1]!.at > RATE_MS) this.#pace.shift()
    const [first] = this.#pace
    if (!first || now - first.at < 1000) return null
    return (this.#totals.finished - first.finished) / ((now - first.at) / 1000)
  }

  async #read(): Promise<void> {
    // A journal that became shorter is another one.
    if ((await this.#reader.journalSize()) < this.#end) this.#reset()
    const { lines, end } = await this.#reader.episodesSince(this.#end)
    this.#end = end
    const replayed = lines.some((line) => this.#lines.has(episodeKey(line)))
    for (const line of lines) this.#lines.set(episodeKey(line), line)
    if (replayed) {
      // Sums cannot give back what an earlier try of an episode put in.
      this.#clearSums()
      for (const line of this.#lines.values()) this.#add(line)
    } else {
      for (const line of lines) this.#add(line)
    }
    const at = performance.now()
    if (this.#pace.length === 0 || this.#pace.at(-1)!.finished !== this.#totals.finished) {
      this.#pace.push({ at, finished: this.#totals.finished })
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
    this.#pace = []
    this.#clearSums()
  }

  #clearSums(): void {
    this.#means = this.#suite && new LiveMeans(this.#suite.metrics)
    this.#totals = { finished: 0, counted: 0, usd: 0 }
  }
}
