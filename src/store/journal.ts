/** Reads `episodes.jsonl` in chunks, and reports invalid lines by number. */
import { codeOf, messageOf, UserError } from '../base/errors.ts'
import { checkHeap } from '../base/foreign/heap.ts'
import { parseForeignJson } from '../base/foreign/json.ts'
import { openRegular } from '../base/regular-file.ts'
import { toDiskError } from './disk.ts'
import type { EpisodeLine } from './records.ts'
import { upgradeLine } from './old-spellings.ts'
import { episodeProblem, isEpisodeLine } from './schemas.ts'

/** Large enough to be fast, small enough that memory does not depend on the size of the journal. */
const CHUNK_BYTES = 4 * 1024 * 1024
/** No line of ours is near: a longer one was not written by Sightline. */
const MAX_LINE_BYTES = 64 * 1024 * 1024
const NEWLINE = 0x0a
/** Scores and labels of any run; of more names, a table of all episodes may have this many cells. */
const FREE_NAMES = 100
const MAX_CELLS = 100_000_000

/** Key of an episode within its run. */
export function episodeKey(episode: { sample: string; epoch: number }): string {
  return `${episode.sample}#${episode.epoch}`
}

export interface Journal {
  /** By key; if an episode has several lines, the last one. */
  episodes: Map<string, EpisodeLine>
  /** Bytes up to the end of the last complete line. The rest is incomplete. */
  completeBytes: number
  /** Whether the last line is complete except for its newline. */
  lacksNewline: boolean
  /** The highest byte of `events.jsonl` that a line points to, and the number of that line. */
  eventsEnd: number
  eventsEndLine: number
}

/** Reads a journal. Skips an incomplete last line; throws for any other invalid line. */
export async function readJournal(path: string): Promise<Journal> {
  const journal: Journal = {
    episodes: new Map(),
    completeBytes: 0,
    lacksNewline: false,
    eventsEnd: 0,
    eventsEndLine: 0,
  }
  const names = new Names(path)
  const rest = await forEachLine(path, (text, number) => {
    const line = parseEpisode(text, path, number)
    names.add(line)
    addLine(journal, line, number)
  })
  journal.completeBytes = rest.start
  const last = rest.text === '' ? undefined : upgradeLine(parseOrUndefined(rest.text))
  if (isEpisodeLine(last)) {
    addLine(journal, last, rest.number)
    journal.completeBytes += rest.bytes
    journal.lacksNewline = true
  }
  return journal
}

/**
 * The episodes after a byte offset in the journal, and the offset to continue from. An incomplete line is left for the
 * next call.
 */
export async function readJournalFrom(path: string, from: number): Promise<{ lines: EpisodeLine[]; end: number }> {
  const lines: EpisodeLine[] = []
  const names = new Names(path)
  const visit = (text: string, number: number): void => {
    const line = parseEpisode(text, path, number)
    names.add(line)
    lines.push(line)
  }
  const rest = await forEachLine(path, visit, from)
  return { lines, end: rest.start }
}

/** Reports and tables have a column per score and label: a few names too many in one line would take gigabytes. */
class Names {
  readonly #path: string
  readonly #names = new Set<string>()
  #lines = 0

  constructor(path: string) {
    this.#path = path
  }

  add({ scores, labels }: EpisodeLine): void {
    this.#lines += 1
    for (const name in scores) this.#names.add(name)
    for (const name in labels) this.#names.add(name)
    const { size } = this.#names
    if (size <= FREE_NAMES || size * this.#lines <= MAX_CELLS) return
    throw new UserError(
      `${this.#path} has ${size} different scores and labels in ${this.#lines} episodes, too many to show.`,
      {
        hint: 'No suite of Sightline has that many: the file was edited, or its suite names scores or labels after samples.',
      },
    )
  }
}

function addLine(journal: Journal, line: EpisodeLine, number: number): void {
  const key = episodeKey(line)
  journal.episodes.set(key, line)
  const end = line.events[0] + line.events[1]
  if (end >= journal.eventsEnd) {
    journal.eventsEnd = end
    journal.eventsEndLine = number
  }
}

function parseEpisode(text: string, path: string, number: number): EpisodeLine {
  const value = upgradeLine(parseLine(text, path, number))
  if (isEpisodeLine(value)) return value
  throw invalidLine(path, number, episodeProblem(value) ?? 'not an episode')
}

/** Parses a line of a JSONL file; errors name the file and line. */
export function parseLine(text: string, path: string, number: number): unknown {
  try {
    return parseForeignJson(text)
  } catch (error) {
    throw invalidLine(path, number, `not valid JSON (${messageOf(error)})`)
  }
}

export function invalidLine(path: string, number: number, problem: string): UserError {
  return new UserError(`Line ${number} of ${path} is invalid: ${problem}.`, {
    hint: 'Nothing was changed. Fix the line, or delete it to play its episode again.',
  })
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface Rest {
  /** The text after the last newline: empty, or an incomplete line. */
  text: string
  /** Byte offset of that text. */
  start: number
  bytes: number
  number: number
}

/**
 * Calls `visit` with every complete line and its number, counted from 1, and returns the rest after the last newline. A
 * missing file has no lines. With `from`, starts at that byte offset.
 */
export async function forEachLine(
  path: string,
  visit: (text: string, number: number) => void,
  from = 0,
): Promise<Rest> {
  let file
  try {
    file = await openRegular(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { text: '', start: from, bytes: 0, number: 1 }
    throw toDiskError(error, path)
  }
  try {
    const { size } = await file.stat()
    let buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(0, size - from) + 1))
    let start = from
    let kept = 0
    let number = 0
    for (;;) {
      // The line is longer than the buffer.
      if (kept >= MAX_LINE_BYTES) throw invalidLine(path, number + 1, `longer than ${MAX_LINE_BYTES} bytes`)
      if (kept === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2)
      const { bytesRead } = await file.read(buffer, kept, buffer.length - kept, start + kept)
      if (bytesRead === 0) {
        return { text: buffer.toString('utf8', 0, kept), start, bytes: kept, number: number + 1 }
      }
      const filled = kept + bytesRead
      const lastEnd = buffer.subarray(kept, filled).lastIndexOf(NEWLINE)
      const complete = lastEnd === -1 ? 0 : kept + lastEnd + 1
      if (complete > 0) {
        checkHeap(path)
        for (const text of buffer.toString('utf8', 0, complete - 1).split('\n')) visit(text, (number += 1))
      }
      buffer.copyWithin(0, complete, filled)
      kept = filled - complete
      start += complete
    }
  } catch (error) {
    throw toDiskError(error, path)
  } finally {
    await file.close()
  }
}

/** Counts the newlines of a file after a byte offset. */
export async function countLines(path: string, from: number): Promise<number> {
  const file = await openRegular(path)
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    let lines = 0
    for (let position = from; ;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
      if (bytesRead === 0) return lines
      const read = buffer.subarray(0, bytesRead)
      for (let at = read.indexOf(NEWLINE); at !== -1; at = read.indexOf(NEWLINE, at + 1)) lines += 1
      position += bytesRead
    }
  } finally {
    await file.close()
  }
}
