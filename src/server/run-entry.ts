/** One run, read again only when its files have changed. */
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf, UserError } from '../base/errors.ts'
import { makeReport } from '../engine/reporting.ts'
import { linesForProfile } from '../engine/rescore.ts'
import type { AnySuite } from '../engine/suite.ts'
import { buildReport, type Report } from '../report/report.ts'
import type { EpisodeLine, RunStatus } from '../store/records.ts'
import type { RunReader } from '../store/run-reader.ts'
import { EPISODES_FILE, EVENTS_FILE, HEADER_FILE, scoresFile, STATE_FILE } from '../store/run-files.ts'
import type { SuiteFinder } from '../library/suites.ts'
import type { RunDetail, RunRow } from './api.ts'
import { columnsOf } from './columns.ts'
import { Follower } from './follower.ts'
import { ColumnFile, type KeptColumns, WORTH_KEEPING_BYTES } from './kept-columns.ts'
import { Memo } from './memo.ts'
import { type Packed, pack } from './http/packed.ts'
import { headlineOf, rowOf, totalsOf } from './rows.ts'

/** The report of a run that goes on is made again after this many times what making it took, and not before. */
const REPORT_PAUSE = 10
const SHORTEST_PAUSE_MS = 1000
const FILES = [HEADER_FILE, EPISODES_FILE, EVENTS_FILE, STATE_FILE]

export class RunEntry {
  readonly reader: RunReader
  readonly #finder: SuiteFinder
  readonly #words: (text: string) => string
  readonly #suite = new Memo<AnySuite | null>()
  readonly #lines = new Memo<readonly EpisodeLine[]>()
  readonly #row = new Memo<RunRow>()
  readonly #columns = new Memo<KeptColumns>()
  readonly #file: ColumnFile | null
  readonly #positions = new Memo<ReadonlyMap<string, number>>()
  #follower: Follower | null = null
  #liveReport: { report: Promise<Report>; made: number; took: number } | null = null

  /** @param storeDir where columns of long runs may be kept; nowhere, if it is not given */
  constructor(reader: RunReader, finder: SuiteFinder, words: (text: string) => string, storeDir: string | null = null) {
    this.reader = reader
    this.#finder = finder
    this.#words = words
    this.#file = storeDir === null ? null : new ColumnFile(storeDir, reader.header.id)
  }

  /** Changes whenever anything about the run does. */
  async stamp(): Promise<string> {
    const [files, { state, reason }] = await Promise.all([
      Promise.all([...FILES, scoresFile(this.reader.header.profile)].map((name) => trace(join(this.reader.dir, name)))),
      this.reader.status(),
    ])
    return [...files, state, reason ?? ''].join('|')
  }

  /** `null` when this version does not know it. */
  suite(): Promise<AnySuite | null> {
    return this.#suite.get('', () => this.#finder.ofRun(this.reader).catch(() => null))
  }

  async row(): Promise<RunRow> {
    return this.#row.get(await this.stamp(), async () => {
      const [status, suite] = await Promise.all([this.reader.status(), this.suite()])
      const { header } = this.reader
      try {
        if (status.state === 'running') {
          const follower = await this.follow()
          return rowOf(header, status, suite?.title ?? null, follower.totals, follower.headline())
        }
        if (!suite) return rowOf(header, status, null, totalsOf(await this.lines()), null)
        const report = await makeReport(this.reader, suite)
        const totals = { finished: report.finished, counted: report.counted, usd: report.usage.usd }
        return rowOf(header, status, suite.title, totals, headlineOf(report))
      } catch (error) {
        const totals = await this.lines().then(totalsOf, async () => ({
          finished: await this.reader.finishedCount().catch(() => 0),
          counted: 0,
          usd: null,
        }))
        const row = rowOf(header, status, suite?.title ?? null, totals, null)
        return { ...row, problem: this.#words(messageOf(error)) }
      }
    })
  }

  async detail(): Promise<RunDetail> {
    const [row, status, suite] = await Promise.all([this.row(), this.reader.status(), this.suite()])
    // Without a table when it cannot be made (a profile that is not known any more): the row says why.
    const report = suite && row.problem === undefined ? await this.#report(suite, status) : null
    const { ms } = await this.#kept()
    return { row, header: this.reader.header, status, report, ms }
  }

  /** In the order of the run, with the scores of its profile. */
  async lines(): Promise<readonly EpisodeLine[]> {
    const [stamp, { state }, suite] = await Promise.all([this.stamp(), this.reader.status(), this.suite()])
    return this.#lines.get(stamp, async () => {
      if (state === 'running') return (await this.follow()).lines()
      // What followed the run while it went on is not needed any more.
      this.#follower = null
      // Scores that were made again and cannot be read are no reason to show none.
      const scored = suite && (await linesForProfile(this.reader, suite, this.reader.header.profile).catch(() => null))
      return scored ?? this.reader.episodes()
    })
  }

  /** `EpisodeColumns`, as they are sent. */
  async columns(): Promise<Packed> {
    return (await this.#kept()).packed
  }

  async #kept(): Promise<KeptColumns> {
    const [stamp, suite, { state }] = await Promise.all([this.stamp(), this.suite(), this.reader.status()])
    return this.#columns.get(stamp, async () => {
      const isLong = state !== 'running' && (await this.reader.journalSize()) >= WORTH_KEEPING_BYTES
      const file = isLong ? this.#file : null
      const written = `${stamp}|${suite?.version ?? 'unknown'}`
      const kept = await file?.read(written)
      if (kept) return kept
      const lines = await this.lines()
      let ms = 0
      for (const line of lines) ms += line.ms
      const made = { packed: await pack(columnsOf(lines, suite, this.reader.header)), ms }
      void file?.write(written, made)
      return made
    })
  }

  /** Where an episode stands in `lines`. */
  async position(index: number, epoch: number): Promise<number | undefined> {
    const positions = await this.#positions.get(await this.stamp(), async () => {
      const lines = await this.lines()
      return new Map(lines.map((line, at) => [`${line.index}.${line.epoch}`, at]))
    })
    return positions.get(`${index}.${epoch}`)
  }

  /** Up to date with what is on disk now. */
  async follow(): Promise<Follower> {
    this.#follower ??= new Follower(this.reader, await this.suite())
    await this.#follower.update()
    return this.#follower
  }

  /** Episodes a second, of a run that goes on and that somebody looks at. */
  rate(): number | null {
    return this.#follower?.rate(performance.now()) ?? null
  }

  /** Gives back the memory of what can be read again. */
  forgetLines(): void {
    this.#lines.forget()
    this.#columns.forget()
    this.#positions.forget()
    this.#follower = null
  }

  async #report(suite: AnySuite, status: RunStatus): Promise<Report> {
    if (status.state !== 'running') return makeReport(this.reader, suite)
    const last = this.#liveReport
    const now = performance.now()
    if (last && now - last.made < Math.max(SHORTEST_PAUSE_MS, last.took * REPORT_PAUSE)) return last.report
    const rows = await this.lines()
    const started = performance.now()
    const report = buildReport({ header: this.reader.header, rows, suite })
    const made = performance.now()
    this.#liveReport = { report: Promise.resolve(report), made, took: made - started }
    return report
  }
}

/** What changes when a file does. A link could show files from outside the store, so none is followed. */
async function trace(path: string): Promise<string> {
  const found = await lstat(path).catch(() => null)
  if (!found) return '-'
  if (!found.isFile()) {
    throw new UserError(`${path} is not a plain file, so this run is not shown.`, {
      hint: 'Put the real file in its place.',
    })
  }
  return `${found.size}/${found.mtimeMs}/${found.ino}`
}
