/**
 * Full-text search in the events of a run. The log is read once, in chunks; only lines that contain the bytes are
 * parsed.
 */
import { join } from 'node:path'
import { codeOf } from '../base/errors.ts'
import type { EpisodeLine } from '../store/records.ts'
import { EVENTS_FILE } from '../store/run-files.ts'
import { openRegular } from '../base/regular-file.ts'

const CHUNK_BYTES = 4 * 1024 * 1024
/** Longer lines are skipped to bound memory. */
const MAX_LINE_LENGTH = 64 * 1024 * 1024
const NEWLINE = 0x0a
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a

/** Positions in `lines` of the episodes that contain the text, ignoring ASCII case. */
export async function searchEvents(
  dir: string,
  lines: readonly EpisodeLine[],
  text: string,
  signal: AbortSignal,
): Promise<number[]> {
  const needle = lowercaseAscii(Buffer.from(JSON.stringify(text).slice(1, -1)))
  if (needle.length === 0) return []
  const ranges = lines
    .map(({ events: [offset, length] }, row) => ({ offset, end: offset + length, row }))
    .filter(({ offset, end }) => end > offset)
    .sort((a, b) => a.offset - b.offset)
  const found = new Set<number>()
  let at = 0
  await forEachMatchingLine(join(dir, EVENTS_FILE), needle, signal, (line, position) => {
    while (at < ranges.length && ranges[at]!.end <= position) at += 1
    const range = ranges[at]
    if (!range || position < range.offset || found.has(range.row)) return
    if (hasInStringValue(line, needle)) found.add(range.row)
  })
  return [...found].sort((a, b) => a - b)
}

/** Calls `visit` with every matching line, in lowercase, and its offset in the file. */
async function forEachMatchingLine(
  path: string,
  needle: Buffer,
  signal: AbortSignal,
  visit: (line: Buffer, position: number) => void,
): Promise<void> {
  const file = await openRegular(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
  if (!file) return
  try {
    let chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    let start = 0
    let pending = 0
    for (;;) {
      signal.throwIfAborted()
      if (pending === chunk.length) {
        if (chunk.length >= MAX_LINE_LENGTH) {
          pending = 0
          start += chunk.length
        } else chunk = Buffer.concat([chunk], chunk.length * 2)
      }
      const { bytesRead } = await file.read(chunk, pending, chunk.length - pending, start + pending)
      lowercaseAscii(chunk.subarray(pending, pending + bytesRead))
      const filled = pending + bytesRead
      const whole = bytesRead === 0 ? filled : chunk.subarray(0, filled).lastIndexOf(NEWLINE) + 1
      const text = chunk.subarray(0, whole)
      for (let hit = text.indexOf(needle); hit !== -1;) {
        const from = text.lastIndexOf(NEWLINE, hit) + 1
        const to = text.indexOf(NEWLINE, hit)
        const end = to === -1 ? text.length : to
        visit(text.subarray(from, end), start + from)
        hit = text.indexOf(needle, end)
      }
      if (bytesRead === 0) return
      chunk.copyWithin(0, whole, filled)
      pending = filled - whole
      start += whole
    }
  } finally {
    await file.close()
  }
}

/** Whether a string value in this JSON line contains the text; field names and event types do not count. */
function hasInStringValue(line: Buffer, needle: Buffer): boolean {
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

/** In place. */
function lowercaseAscii(bytes: Buffer): Buffer {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!
    if (byte >= 0x41 && byte <= 0x5a) bytes[i] = byte + 0x20
  }
  return bytes
}
