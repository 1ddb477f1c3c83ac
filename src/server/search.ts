/**
 * Finds a text in everything that was said and noted in a run. The log is read once, in pieces; nothing of it is parsed
 * but the lines in which the bytes occur.
 */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../base/errors.ts'
import type { EpisodeLine } from '../store/records.ts'
import { EVENTS_FILE } from '../store/run-files.ts'

const PIECE_BYTES = 4 * 1024 * 1024
/** A line longer than this is not searched: memory has an end. */
const MAX_LINE_LENGTH = 64 * 1024 * 1024
const NEWLINE = 0x0a
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a

/** Positions in `lines` of the episodes in which the text occurs, upper and lower case alike. */
export async function searchEvents(
  dir: string,
  lines: readonly EpisodeLine[],
  text: string,
  signal: AbortSignal,
): Promise<number[]> {
  const needle = lowered(Buffer.from(JSON.stringify(text).slice(1, -1)))
  if (needle.length === 0) return []
  const ranges = lines
    .map(({ events: [offset, length] }, row) => ({ offset, end: offset + length, row }))
    .filter(({ offset, end }) => end > offset)
    .sort((a, b) => a.offset - b.offset)
  const found = new Set<number>()
  let at = 0
  await eachLineWith(join(dir, EVENTS_FILE), needle, signal, (line, position) => {
    while (at < ranges.length && ranges[at]!.end <= position) at += 1
    const range = ranges[at]
    if (!range || position < range.offset || found.has(range.row)) return
    if (saysSo(line, needle)) found.add(range.row)
  })
  return [...found].sort((a, b) => a - b)
}

/** Calls `visit` with every line that has the bytes somewhere, in lower case, and where it starts in the file. */
async function eachLineWith(
  path: string,
  needle: Buffer,
  signal: AbortSignal,
  visit: (line: Buffer, position: number) => void,
): Promise<void> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
  if (!file) return
  try {
    let piece = Buffer.allocUnsafe(PIECE_BYTES)
    let start = 0
    let kept = 0
    for (;;) {
      signal.throwIfAborted()
      if (kept === piece.length) {
        if (piece.length >= MAX_LINE_LENGTH) {
          kept = 0
          start += piece.length
        } else piece = Buffer.concat([piece], piece.length * 2)
      }
      const { bytesRead } = await file.read(piece, kept, piece.length - kept, start + kept)
      lowered(piece.subarray(kept, kept + bytesRead))
      const filled = kept + bytesRead
      const whole = bytesRead === 0 ? filled : piece.subarray(0, filled).lastIndexOf(NEWLINE) + 1
      const text = piece.subarray(0, whole)
      for (let hit = text.indexOf(needle); hit !== -1;) {
        const from = text.lastIndexOf(NEWLINE, hit) + 1
        const to = text.indexOf(NEWLINE, hit)
        const end = to === -1 ? text.length : to
        visit(text.subarray(from, end), start + from)
        hit = text.indexOf(needle, end)
      }
      if (bytesRead === 0) return
      piece.copyWithin(0, whole, filled)
      kept = filled - whole
      start += whole
    }
  } finally {
    await file.close()
  }
}

/** Does a string of this line of JSON have the text: no name of a field, and not the name of the kind of event? */
function saysSo(line: Buffer, needle: Buffer): boolean {
  let lastKey = ''
  for (let from = line.indexOf(QUOTE); from !== -1;) {
    let to = from + 1
    while (to < line.length && line[to] !== QUOTE) to += line[to] === BACKSLASH ? 2 : 1
    if (line[to + 1] === COLON) lastKey = line.toString('latin1', from + 1, Math.min(to, from + 16))
    else if (lastKey !== 'type' && line.subarray(from + 1, to).includes(needle)) return true
    else lastKey = ''
    from = line.indexOf(QUOTE, to + 1)
  }
  return false
}

/** Letters of ASCII become small, in place. */
function lowered(bytes: Buffer): Buffer {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!
    if (byte >= 0x41 && byte <= 0x5a) bytes[i] = byte + 0x20
  }
  return bytes
}
