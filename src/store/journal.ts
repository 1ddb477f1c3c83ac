/** Reading `episodes.jsonl`: fast, in pieces, and with the line number of whatever is wrong. */
import { open } from 'node:fs/promises'
import { codeOf, messageOf, UserError } from '../base/errors.ts'
import { diskProblem } from './disk.ts'
import type { EpisodeLine } from './records.ts'
import { modernLine } from './old-spellings.ts'
import { episodeProblem, isEpisodeLine } from './schemas.ts'

/** Read at a time: large enough to be fast, small enough that a journal of any length needs little memory. */
const PIECE_BYTES = 4 * 1024 * 1024
const NEWLINE = 0x0a

/** Names an episode within its run. */
export function episodeKey(episode: { sample: string; epoch: number }): string {
  return `${episode.sample}#${episode.epoch}`
}

export interface Journal {
  /** By key; the last line of an episode wins. */
  episodes: Map<string, EpisodeLine>
  /** Bytes up to the end of the last complete line. What follows is torn. */
  completeBytes: number
  /** The last line is whole but for its line end: an editor took it, or a crash came between the two. */
  lacksLineEnd: boolean
  /** The end of the furthest byte range that any line points to, and the number of that line. */
  eventsEnd: number
  eventsEndLine: number
}

/** Reads a journal. A torn last line is left out; a broken line elsewhere is an error that names it. */
export async function readJournal(path: string): Promise<Journal> {
  const journal: Journal = {
    episodes: new Map(),
    completeBytes: 0,
    lacksLineEnd: false,
    eventsEnd: 0,
    eventsEndLine: 0,
  }
  const rest = await forEachLine(path, (text, number) => {
    addLine(journal, parseEpisode(text, path, number), number)
  })
  journal.completeBytes = rest.start
  const last = rest.text === '' ? undefined : modernLine(parseOrUndefined(rest.text))
  if (isEpisodeLine(last)) {
    addLine(journal, last, rest.number)
    journal.completeBytes += rest.bytes
    journal.lacksLineEnd = true
  }
  return journal
}

/**
 * The episodes that were written since a place in the journal, for whoever follows a run that goes on: reads nothing
 * twice. A line that is not whole yet is left for the next time.
 */
export async function readJournalFrom(path: string, from: number): Promise<{ lines: EpisodeLine[]; end: number }> {
  const lines: EpisodeLine[] = []
  const rest = await forEachLine(path, (text, number) => lines.push(parseEpisode(text, path, number)), from)
  return { lines, end: rest.start }
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
  const value = modernLine(parseLine(text, path, number))
  if (isEpisodeLine(value)) return value
  throw brokenLine(path, number, episodeProblem(value) ?? 'it is not an episode')
}

/** A line of a JSONL file as data; broken JSON is an error that names file and line. */
export function parseLine(text: string, path: string, number: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw brokenLine(path, number, `it is not JSON (${messageOf(error)})`)
  }
}

export function brokenLine(path: string, number: number, problem: string): UserError {
  return new UserError(`Line ${number} of ${path} is broken: ${problem}.`, {
    hint: 'Nothing was changed. Mend the line, or delete it to play its episode again.',
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
  /** What stands after the last line end: empty, or a torn line. */
  text: string
  /** Where it starts: the bytes of all complete lines. */
  start: number
  bytes: number
  number: number
}

/**
 * Calls `visit` with every complete line and its number from 1, and gives back what follows the last of them. A file
 * that is not there has no lines. With `from`, the lines behind that byte, counted from there.
 */
export async function forEachLine(
  path: string,
  visit: (text: string, number: number) => void,
  from = 0,
): Promise<Rest> {
  let file
  try {
    file = await open(path, 'r')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { text: '', start: from, bytes: 0, number: 1 }
    throw diskProblem(error, path)
  }
  try {
    let piece = Buffer.allocUnsafe(PIECE_BYTES)
    let start = from
    let kept = 0
    let number = 0
    for (;;) {
      // A line longer than a piece: make room for it.
      if (kept === piece.length) piece = Buffer.concat([piece], piece.length * 2)
      const { bytesRead } = await file.read(piece, kept, piece.length - kept, start + kept)
      if (bytesRead === 0) {
        return { text: piece.toString('utf8', 0, kept), start, bytes: kept, number: number + 1 }
      }
      const filled = kept + bytesRead
      const lastEnd = piece.subarray(kept, filled).lastIndexOf(NEWLINE)
      const complete = lastEnd === -1 ? 0 : kept + lastEnd + 1
      if (complete > 0) {
        for (const text of piece.toString('utf8', 0, complete - 1).split('\n')) visit(text, (number += 1))
      }
      piece.copyWithin(0, complete, filled)
      kept = filled - complete
      start += complete
    }
  } catch (error) {
    throw diskProblem(error, path)
  } finally {
    await file.close()
  }
}

/** Lines of a file from a byte offset on, without looking into them. */
export async function countLines(path: string, from: number): Promise<number> {
  const file = await open(path, 'r')
  try {
    const piece = Buffer.allocUnsafe(PIECE_BYTES)
    let lines = 0
    for (let position = from; ;) {
      const { bytesRead } = await file.read(piece, 0, piece.length, position)
      if (bytesRead === 0) return lines
      const read = piece.subarray(0, bytesRead)
      for (let at = read.indexOf(NEWLINE); at !== -1; at = read.indexOf(NEWLINE, at + 1)) lines += 1
      position += bytesRead
    }
  } finally {
    await file.close()
  }
}
