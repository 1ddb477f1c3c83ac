import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError } from '../base/errors.ts'
import { checkHeap } from '../base/foreign/heap.ts'
import { parseForeignJson } from '../base/foreign/json.ts'
import { openRegular } from '../base/regular-file.ts'
import { statIfExists, withDiskErrors, writeAtomically } from './disk.ts'
import { invalidLine, countLines, episodeKey, forEachLine, parseLine, readJournal, readJournalFrom } from './journal.ts'
import { checkEvidence, type Evidence, eventsModified, hasKnownEvents } from './evidence.ts'
import { upgradeLine } from './old-spellings.ts'
import { currentHolder } from './lock.ts'
import type { EpisodeLine, RunHeader, RunStatus, Scores } from './records.ts'
import { EPISODES_FILE, EVENTS_FILE, readIfExists, readState, REPORT_FILE, scoresFile } from './run-files.ts'
import { scoresProblem } from './schemas.ts'

const ROWS_PER_WRITE = 1000

/** The inputs of a scores file. It is outdated if they have changed. */
export interface ScoredFrom {
  suiteVersion: number
  journalBytes: number
}

export interface ScoreRow {
  sample: string
  epoch: number
  scores: Scores
}

/** The content of a scores file. */
export interface Rescored {
  from: ScoredFrom
  /** By `sample#epoch`. */
  scores: Map<string, Scores>
}

/**
 * Reads a run: while it is being written, after a crash, or later.
 *
 * @example
 * const run = await store.openRun('latest')
 * for (const episode of await run.episodes()) console.log(episode.sample, episode.status, episode.scores)
 */
export interface RunReader {
  readonly header: RunHeader
  readonly dir: string
  /** The status. A run whose process died while it was `running` is `interrupted`. */
  status(): Promise<RunStatus>
  /** All episodes, sorted by index and epoch. If one has several lines, the last. Skips an incomplete last line. */
  episodes(): Promise<EpisodeLine[]>
  /** Episodes after a byte offset of the journal, and the new offset, to follow a running run. */
  episodesSince(byte: number): Promise<{ lines: EpisodeLine[]; end: number }>
  /** The events of an episode. Reads only their byte range. */
  events(line: EpisodeLine): Promise<unknown[]>
  /** Reads the events of all episodes and compares them with the hashes in the journal. */
  verify(): Promise<Evidence>
  /** Episodes whose events were changed. Reads them only if the file was written since its hashes last matched. */
  damaged(): Promise<EpisodeLine[]>
  /** When the events were last written, in milliseconds; 0 if there are none. */
  eventsModified(): Promise<number>
  /** The content of `report.json`; undefined if it is missing or invalid. */
  report(): Promise<unknown>
  /** Caches a report. Errors are ignored, because it can be built again. */
  keepReport(json: string): Promise<void>
  /** Size of `episodes.jsonl` in bytes. A report built at the same size is up to date. */
  journalSize(): Promise<number>
  /** Number of finished episodes, without reading the journal if possible. */
  finishedCount(): Promise<number>
  /** Deletes `report.json`, after a change that does not affect the journal. */
  forgetReport(): Promise<void>
  /** Scores of another profile; undefined if the run was never scored with it. */
  scores(profile: string): Promise<Rescored | undefined>
  writeScores(profile: string, from: ScoredFrom, rows: Iterable<ScoreRow>): Promise<void>
}

export class RunFolder implements RunReader {
  readonly header: RunHeader
  readonly dir: string

  constructor(dir: string, header: RunHeader) {
    this.dir = dir
    this.header = header
  }

  async status(): Promise<RunStatus> {
    const state = await readState(this.dir)
    const { updated, pid } = state ?? { updated: this.header.created, pid: null }
    if (state && state.state !== 'running') return { state: state.state, reason: state.reason, updated, pid }
    const holder = await withDiskErrors(this.dir, () => currentHolder(this.dir))
    if (holder) return { state: 'running', reason: state?.reason ?? null, updated, pid: holder.pid }
    return { state: 'interrupted', reason: 'The process ended before the run was finished.', updated, pid: null }
  }

  async episodes(): Promise<EpisodeLine[]> {
    const { episodes } = await readJournal(join(this.dir, EPISODES_FILE))
    return [...episodes.values()].sort((a, b) => a.index - b.index || a.epoch - b.epoch)
  }

  episodesSince(byte: number): Promise<{ lines: EpisodeLine[]; end: number }> {
    return readJournalFrom(join(this.dir, EPISODES_FILE), byte)
  }

  async events(line: EpisodeLine): Promise<unknown[]> {
    const [offset, length] = line.events
    if (length === 0) return []
    const path = join(this.dir, EVENTS_FILE)
    const bytes = await withDiskErrors(path, () => readRange(path, offset, length, episodeKey(line)))
    const lines = bytes.toString('utf8').split('\n')
    if (lines.pop() !== '') throw invalidRange(path, episodeKey(line), offset, length)
    return lines.map((text) => {
      checkHeap(path)
      try {
        return parseForeignJson(text)
      } catch {
        throw invalidRange(path, episodeKey(line), offset, length)
      }
    })
  }

  async verify(): Promise<Evidence> {
    return checkEvidence(join(this.dir, EVENTS_FILE), await this.episodes())
  }

  async damaged(): Promise<EpisodeLine[]> {
    return (await hasKnownEvents(this.dir)) ? [] : (await this.verify()).damaged
  }

  eventsModified(): Promise<number> {
    return eventsModified(this.dir)
  }

  async report(): Promise<unknown> {
    const text = await readIfExists(join(this.dir, REPORT_FILE))
    if (text === undefined) return undefined
    try {
      return parseForeignJson(text)
    } catch {
      return undefined
    }
  }

  async keepReport(json: string): Promise<void> {
    await writeAtomically(join(this.dir, REPORT_FILE), [json]).catch(() => undefined)
  }

  async journalSize(): Promise<number> {
    return (await statIfExists(join(this.dir, EPISODES_FILE)))?.size ?? 0
  }

  async finishedCount(): Promise<number> {
    const [state, bytes] = await Promise.all([readState(this.dir), this.journalSize()])
    const known = state && state.journalBytes <= bytes ? state : { finished: 0, journalBytes: 0 }
    if (known.journalBytes === bytes) return known.finished
    // Count the lines since then. A replayed episode has two lines, so cap the sum.
    const path = join(this.dir, EPISODES_FILE)
    const lines = await withDiskErrors(path, () => countLines(path, known.journalBytes))
    return Math.min(known.finished + lines, this.header.planned)
  }

  async forgetReport(): Promise<void> {
    const path = join(this.dir, REPORT_FILE)
    await withDiskErrors(path, () => rm(path, { force: true }))
  }

  async scores(profile: string): Promise<Rescored | undefined> {
    const path = join(this.dir, scoresFile(profile))
    if (!(await statIfExists(path))) return undefined
    const scores = new Map<string, Scores>()
    let from: ScoredFrom | undefined
    const rest = await forEachLine(path, (text, number) => {
      const row = upgradeLine(parseLine(text, path, number))
      if (number === 1) {
        from = scoredFrom(row)
        return
      }
      if (!isScoreRow(row)) throw invalidLine(path, number, 'not a sample, an epoch and scores')
      scores.set(episodeKey(row), row.scores)
    })
    if (rest.bytes > 0) throw invalidLine(path, rest.number, 'incomplete')
    return from && { from, scores }
  }

  async writeScores(profile: string, from: ScoredFrom, rows: Iterable<ScoreRow>): Promise<void> {
    const path = join(this.dir, scoresFile(profile))
    await withDiskErrors(path, () => writeAtomically(path, scoreLines(from, rows)))
  }
}

function* scoreLines(from: ScoredFrom, rows: Iterable<ScoreRow>): Iterable<string> {
  yield `${JSON.stringify(from)}\n`
  let lines: string[] = []
  for (const row of rows) {
    const problem = scoresProblem(row.scores)
    if (problem !== null) throw new TypeError(`Cannot write the scores of ${episodeKey(row)}: ${problem}.`)
    lines.push(`${JSON.stringify({ sample: row.sample, epoch: row.epoch, scores: row.scores })}\n`)
    if (lines.length < ROWS_PER_WRITE) continue
    yield lines.join('')
    lines = []
  }
  yield lines.join('')
}

/** Parses the first line. Files of early versions have none and are outdated. */
function scoredFrom(row: unknown): ScoredFrom | undefined {
  if (typeof row !== 'object' || row === null || !('suiteVersion' in row) || !('journalBytes' in row)) return undefined
  const { suiteVersion, journalBytes } = row
  return typeof suiteVersion === 'number' && typeof journalBytes === 'number'
    ? { suiteVersion, journalBytes }
    : undefined
}

function isScoreRow(row: unknown): row is ScoreRow {
  return (
    typeof row === 'object' &&
    row !== null &&
    'sample' in row &&
    typeof row.sample === 'string' &&
    'epoch' in row &&
    Number.isSafeInteger(row.epoch) &&
    'scores' in row &&
    scoresProblem(row.scores) === null
  )
}

async function readRange(path: string, offset: number, length: number, episode: string): Promise<Buffer> {
  const file = await openRegular(path)
  try {
    // Check before allocating, because an edited line may claim any length.
    const { size } = await file.stat()
    if (offset + length > size) {
      throw new UserError(
        `The events of ${episode} should be at bytes ${offset} to ${offset + length} of ${path}, which has only ${size}.`,
        { hint: 'The scores are not affected. Restore the file from a backup to see the events.' },
      )
    }
    const bytes = Buffer.allocUnsafe(length)
    let read = 0
    while (read < length) {
      const { bytesRead } = await file.read(bytes, read, length - read, offset + read)
      if (bytesRead === 0) throw invalidRange(path, episode, offset, length)
      read += bytesRead
    }
    return bytes
  } finally {
    await file.close()
  }
}

function invalidRange(path: string, episode: string, offset: number, length: number): UserError {
  return new UserError(
    `Bytes ${offset} to ${offset + length} of ${path} are not the events of ${episode}: they are not complete lines of JSON.`,
    { hint: 'The file was edited. The scores are not affected. Restore it from a backup to see the events.' },
  )
}
