/** One run, reread only when its files change. */
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf, UserError } from '../base/errors.ts'
import { shellCommand } from '../base/shell-quote.ts'
import { runCommand } from '../library/commands.ts'
import { makeReport } from '../engine/reporting.ts'
import { linesForProfile } from '../engine/rescore.ts'
import type { AnySuite } from '../engine/suite.ts'
import { buildReport, type Report } from '../report/report.ts'
import { ERROR_TYPES_FILE } from '../store/error-types.ts'
import type { EpisodeLine, RunStatus } from '../store/records.ts'
import type { RunReader } from '../store/run-reader.ts'
import { EPISODES_FILE, EVENTS_FILE, HEADER_FILE, scoresFile, STATE_FILE } from '../store/run-files.ts'
import type { SuiteFinder } from '../library/suites.ts'
import type { RunDetail, RunRow } from './api.ts'
import { columnsOf } from './columns.ts'
import { describedFields } from './described.ts'
import { JournalFollower } from './follower.ts'
import { ColumnCache, type CachedColumns, MIN_CACHED_JOURNAL_BYTES } from './column-cache.ts'
import { Memo } from './memo.ts'
import { type PackedJson, packJson } from './http/packed-json.ts'
import { headlineOf, rowOf, totalsOf } from './rows.ts'

/** The report of a running run is rebuilt at most every (build time × this factor). */
const REPORT_INTERVAL_FACTOR = 10
const MIN_REPORT_INTERVAL_MS = 1000
const WATCHED_FILES = [ERROR_TYPES_FILE, HEADER_FILE, EPISODES_FILE, EVENTS_FILE, STATE_FILE]

export class RunEntry {
  readonly reader: RunReader
  readonly #finder: SuiteFinder
  readonly #redact: (text: string) => string
  readonly #suite = new Memo<AnySuite | null>()
  readonly #lines = new Memo<readonly EpisodeLine[]>()
  readonly #row = new Memo<RunRow>()
  readonly #columns = new Memo<CachedColumns>()
  readonly #columnCache: ColumnCache | null
  readonly #positions = new Memo<ReadonlyMap<string, number>>()
  #follower: JournalFollower | null = null
  #liveReport: { report: Promise<Report>; made: number; took: number } | null = null

  /** @param storeDir where to cache columns of long runs; `null` disables the cache */
  constructor(
    reader: RunReader,
    finder: SuiteFinder,
    redact: (text: string) => string,
    storeDir: string | null = null,
  ) {
    this.reader = reader
    this.#finder = finder
    this.#redact = redact
    this.#columnCache = storeDir === null ? null : new ColumnCache(storeDir, reader.header.id)
  }

  /** Changes whenever the run does. */
  async stamp(): Promise<string> {
    const [files, { state, reason }] = await Promise.all([
      Promise.all(
        [...WATCHED_FILES, scoresFile(this.reader.header.profile)].map((name) =>
          fileStamp(join(this.reader.dir, name)),
        ),
      ),
      this.reader.status(),
    ])
    return [...files, state, reason ?? ''].join('|')
  }

  /** `null` when the suite is not installed. */
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
        return { ...row, problem: this.#redact(messageOf(error)) }
      }
    })
  }

  async detail(): Promise<RunDetail> {
    const [row, status, suite] = await Promise.all([this.row(), this.reader.status(), this.suite()])
    // No table when it cannot be built, for example for a profile that no longer exists; the row has the reason.
    const report = suite && row.problem === undefined ? await this.#report(suite, status) : null
    const { ms } = await this.#cachedColumns()
    const command = runCommand(this.reader.header, suite)
    return { row, header: this.reader.header, status, report, ms, command: command && shellCommand(command) }
  }

  /** In run order, scored with the run's profile. */
  async lines(): Promise<readonly EpisodeLine[]> {
    const [stamp, { state }, suite] = await Promise.all([this.stamp(), this.reader.status(), this.suite()])
    return this.#lines.get(stamp, async () => {
      if (state === 'running') return (await this.follow()).lines()
      // The run has ended, so the follower is no longer needed.
      this.#follower = null
      // If rescored values are unreadable, fall back to the original scores.
      const scored = suite && (await linesForProfile(this.reader, suite, this.reader.header.profile).catch(() => null))
      return scored ?? this.reader.episodes()
    })
  }

  /** `EpisodeColumns`, ready to send. */
  async columns(): Promise<PackedJson> {
    return (await this.#cachedColumns()).packed
  }

  async #cachedColumns(): Promise<CachedColumns> {
    const [stamp, suite, { state }] = await Promise.all([this.stamp(), this.suite(), this.reader.status()])
    return this.#columns.get(stamp, async () => {
      const isLong = state !== 'running' && (await this.reader.journalSize()) >= MIN_CACHED_JOURNAL_BYTES
      const file = isLong ? this.#columnCache : null
      const written = `${stamp}|${suite?.version ?? 'unknown'}`
      const cached = await file?.read(written)
      if (cached) return cached
      const lines = await this.lines()
      let ms = 0
      for (const line of lines) ms += line.ms
      const columns = columnsOf(lines, suite, this.reader.header, await describedFields(this, lines))
      const made = { packed: await packJson(columns), ms }
      void file?.write(written, made)
      return made
    })
  }

  /** Position of an episode in `lines`. */
  async position(index: number, epoch: number): Promise<number | undefined> {
    const positions = await this.#positions.get(await this.stamp(), async () => {
      const lines = await this.lines()
      return new Map(lines.map((line, at) => [`${line.index}.${line.epoch}`, at]))
    })
    return positions.get(`${index}.${epoch}`)
  }

  /** The follower, up to date with the journal on disk. */
  async follow(): Promise<JournalFollower> {
    this.#follower ??= new JournalFollower(this.reader, await this.suite())
    await this.#follower.update()
    return this.#follower
  }

  /** Episodes per second of a running run that is being followed. */
  rate(): number | null {
    return this.#follower?.rate(performance.now()) ?? null
  }

  /** Frees memory; everything can be read again. */
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
    if (last && now - last.made < Math.max(MIN_REPORT_INTERVAL_MS, last.took * REPORT_INTERVAL_FACTOR))
      return last.report
    const rows = await this.lines()
    const started = performance.now()
    const report = buildReport({ header: this.reader.header, rows, suite })
    const made = performance.now()
    this.#liveReport = { report: Promise.resolve(report), made, took: made - started }
    return report
  }
}

/** Changes when the file does. Symbolic links are refused: they could expose files outside the store. */
async function fileStamp(path: string): Promise<string> {
  const found = await lstat(path).catch(() => null)
  if (!found) return '-'
  if (!found.isFile()) {
    throw new UserError(`Cannot show this run: ${path} is not a regular file.`, {
      hint: 'Replace it with the actual file.',
    })
  }
  return `${found.size}/${found.mtimeMs}/${found.ino}`
}
