import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, UserError } from '../base/errors.ts'
import { diskProblem, explained, writeAtomically } from './disk.ts'
import { brokenLine, countLines, episodeKey, forEachLine, parseLine, readJournal, readJournalFrom } from './journal.ts'
import { modernLine } from './old-spellings.ts'
import { currentHolder } from './lock.ts'
import type { EpisodeLine, RunHeader, RunStatus, Scores } from './records.ts'
import { EPISODES_FILE, EVENTS_FILE, readIfThere, readState, REPORT_FILE, scoresFile } from './run-files.ts'
import { scoresProblem } from './schemas.ts'

/** Rows of scores that go into one write. */
const ROWS_A_WRITE = 1000

/** What results were scored from: they are worth nothing once it has changed. */
export interface ScoredFrom {
  suiteVersion: number
  journalBytes: number
}

export interface ScoreRow {
  sample: string
  epoch: number
  scores: Scores
}

export interface Rescored {
  from: ScoredFrom
  /** By `case#epoch`. */
  scores: Map<string, Scores>
}

/** A run as everyone else sees it: while it is written, after a crash, and years later. */
export interface RunReader {
  readonly header: RunHeader
  readonly dir: string
  /** A run that says `running` and whose process is dead is `interrupted`. */
  status(): Promise<RunStatus>
  /** The last line of each episode, by index and then epoch. A torn last line is left out. */
  episodes(): Promise<EpisodeLine[]>
  /** Lines written since a byte of the journal, and where they end: for following a run without reading it again. */
  episodesSince(byte: number): Promise<{ lines: EpisodeLine[]; end: number }>
  /** What happened in an episode; reads its byte range only. */
  events(line: EpisodeLine): Promise<unknown[]>
  /** `report.json`; `undefined` when it is not there or not whole. */
  report(): Promise<unknown>
  /** Keeps a report for the next reader. It is derived, so a store that cannot be written only goes without. */
  keepReport(json: string): Promise<void>
  /** Bytes of `episodes.jsonl`: a report that was made at this size is still right. */
  journalSize(): Promise<number>
  /** Episodes finished, told without reading the journal where that is possible. */
  finishedCount(): Promise<number>
  /** Drops `report.json`: something else than the journal has changed. */
  forgetReport(): Promise<void>
  /** Results of scoring again; `undefined` when it was never done with this profile. */
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
    const holder = await explained(this.dir, () => currentHolder(this.dir))
    if (holder) return { state: 'running', reason: state?.reason ?? null, updated, pid: holder.pid }
    return { state: 'interrupted', reason: 'The process that wrote it ended before the run did.', updated, pid: null }
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
    const bytes = await explained(path, () => readRange(path, offset, length, episodeKey(line)))
    const lines = bytes.toString('utf8').split('\n')
    if (lines.pop() !== '') throw wrongRange(path, episodeKey(line), offset, length)
    return lines.map((text) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        throw wrongRange(path, episodeKey(line), offset, length)
      }
    })
  }

  async report(): Promise<unknown> {
    const text = await readIfThere(join(this.dir, REPORT_FILE))
    if (text === undefined) return undefined
    try {
      return JSON.parse(text) as unknown
    } catch {
      return undefined
    }
  }

  async keepReport(json: string): Promise<void> {
    await writeAtomically(join(this.dir, REPORT_FILE), [json]).catch(() => undefined)
  }

  async journalSize(): Promise<number> {
    const path = join(this.dir, EPISODES_FILE)
    try {
      return (await stat(path)).size
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return 0
      throw diskProblem(error, path)
    }
  }

  async finishedCount(): Promise<number> {
    const [state, bytes] = await Promise.all([readState(this.dir), this.journalSize()])
    const known = state && state.journalBytes <= bytes ? state : { finished: 0, journalBytes: 0 }
    if (known.journalBytes === bytes) return known.finished
    // Lines since then; an episode that was played again has two, but never are there more than planned.
    const path = join(this.dir, EPISODES_FILE)
    const lines = await explained(path, () => countLines(path, known.journalBytes))
    return Math.min(known.finished + lines, this.header.planned)
  }

  async forgetReport(): Promise<void> {
    const path = join(this.dir, REPORT_FILE)
    await explained(path, () => rm(path, { force: true }))
  }

  async scores(profile: string): Promise<Rescored | undefined> {
    const path = join(this.dir, scoresFile(profile))
    if (!(await isThere(path))) return undefined
    const scores = new Map<string, Scores>()
    let from: ScoredFrom | undefined
    const rest = await forEachLine(path, (text, number) => {
      const row = modernLine(parseLine(text, path, number))
      if (number === 1) {
        from = scoredFrom(row)
        return
      }
      if (!isScoreRow(row)) throw brokenLine(path, number, 'it is not a sample, an epoch and scores')
      scores.set(episodeKey(row), row.scores)
    })
    if (rest.bytes > 0) throw brokenLine(path, rest.number, 'it is cut short')
    return from && { from, scores }
  }

  async writeScores(profile: string, from: ScoredFrom, rows: Iterable<ScoreRow>): Promise<void> {
    const path = join(this.dir, scoresFile(profile))
    await explained(path, () => writeAtomically(path, scoreLines(from, rows)))
  }
}

function* scoreLines(from: ScoredFrom, rows: Iterable<ScoreRow>): Iterable<string> {
  yield `${JSON.stringify(from)}\n`
  let lines: string[] = []
  for (const row of rows) {
    const problem = scoresProblem(row.scores)
    if (problem !== null) throw new TypeError(`The scores of ${episodeKey(row)} cannot be kept: ${problem}.`)
    lines.push(`${JSON.stringify({ sample: row.sample, epoch: row.epoch, scores: row.scores })}\n`)
    if (lines.length < ROWS_A_WRITE) continue
    yield lines.join('')
    lines = []
  }
  yield lines.join('')
}

/** The first line; files of earlier versions have none, and are scored again. */
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
  const file = await open(path, 'r')
  try {
    // Before any memory is set aside: a line from outside may claim any length.
    const { size } = await file.stat()
    if (offset + length > size) {
      throw new UserError(
        `The events of ${episode} should be bytes ${offset} to ${offset + length} of ${path}, which has only ${size}.`,
        { hint: 'Its scores are not touched by this. Bring the file back from a copy to see what happened.' },
      )
    }
    const bytes = Buffer.allocUnsafe(length)
    let read = 0
    while (read < length) {
      const { bytesRead } = await file.read(bytes, read, length - read, offset + read)
      if (bytesRead === 0) throw wrongRange(path, episode, offset, length)
      read += bytesRead
    }
    return bytes
  } finally {
    await file.close()
  }
}

function wrongRange(path: string, episode: string, offset: number, length: number): UserError {
  return new UserError(
    `Bytes ${offset} to ${offset + length} of ${path} are not the events of ${episode}: they are not whole lines of JSON.`,
    { hint: 'The file was changed by hand. Bring it back from a copy; scores are not touched by this.' },
  )
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw diskProblem(error, path)
  }
}
