/** Entry point of the thread that searches the events of runs: one pass over the log for all texts at once. */
import { openRegular } from '../base/regular-file.ts'
import { codeOf } from '../base/errors.ts'
import { serveThread } from '../base/thread.ts'
import type { SearchHandlers } from './search.ts'

const CHUNK_BYTES = 4 * 1024 * 1024
/** Longer lines are skipped to bound memory. */
const MAX_LINE_LENGTH = 64 * 1024 * 1024
const NEWLINE = 0x0a
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a

interface Wanted {
  text: Buffer
  /** Rows of the episodes that contain it. */
  found: Set<number>
}

/** Texts of the pass in progress, by query. */
const wanted = new Map<number, Wanted>()

serveThread<SearchHandlers>({
  async scan({ path, events, queries }) {
    wanted.clear()
    for (const { query, text } of queries)
      wanted.set(query, { text: lowercaseAscii(Buffer.from(text)), found: new Set() })
    const episodes = episodesInOrder(events)
    await forEachChunk(path, (lines, start) => {
      for (const each of wanted.values()) findIn(lines, start, each, episodes)
      return wanted.size > 0
    })
    return new Map([...wanted].map(([query, { found }]) => [query, [...found].sort((a, b) => a - b)]))
  },
  drop(query) {
    wanted.delete(query)
  },
})

interface EpisodeBytes {
  from: number
  to: number
  row: number
}

function episodesInOrder(events: Float64Array): EpisodeBytes[] {
  const episodes: EpisodeBytes[] = []
  for (let row = 0; row < events.length / 2; row++) {
    const [from, length] = [events[row * 2]!, events[row * 2 + 1]!]
    if (length > 0) episodes.push({ from, to: from + length, row })
  }
  return episodes.sort((a, b) => a.from - b.from)
}

function episodeAt(episodes: readonly EpisodeBytes[], position: number): EpisodeBytes | undefined {
  let [low, high] = [0, episodes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (episodes[middle]!.to <= position) low = middle + 1
    else high = middle
  }
  const found = episodes[low]
  return found && found.from <= position ? found : undefined
}

/** @param start offset of `lines` in the file */
function findIn(lines: Buffer, start: number, { text, found }: Wanted, episodes: readonly EpisodeBytes[]): void {
  for (let hit = lines.indexOf(text); hit !== -1;) {
    const from = lines.lastIndexOf(NEWLINE, hit) + 1
    const newline = lines.indexOf(NEWLINE, hit)
    let end = newline === -1 ? lines.length : newline
    const episode = episodeAt(episodes, start + from)
    if (episode) {
      if (!found.has(episode.row) && hasInStringValue(lines.subarray(from, end), text)) found.add(episode.row)
      // The rest of an episode that is found needs no search.
      if (found.has(episode.row)) end = Math.max(end, Math.min(episode.to - start, lines.length))
    }
    hit = lines.indexOf(text, end)
  }
}

/** Calls `visit` with the lines of a file in lowercase, many at once, until it returns false. */
async function forEachChunk(path: string, visit: (lines: Buffer, start: number) => boolean): Promise<void> {
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
      if (!visit(chunk.subarray(0, whole), start) || bytesRead === 0) return
      chunk.copyWithin(0, whole, filled)
      pending = filled - whole
      start += whole
    }
  } finally {
    await file.close()
  }
}

/** Whether a string value in this JSON line contains the text; field names and event types do not count. */
function hasInStringValue(line: Buffer, text: Buffer): boolean {
  let lastKey = ''
  for (let from = line.indexOf(QUOTE); from !== -1;) {
    let to = from + 1
    while (to < line.length && line[to] !== QUOTE) to += line[to] === BACKSLASH ? 2 : 1
    if (line[to + 1] === COLON) lastKey = line.toString('latin1', from + 1, Math.min(to, from + 16))
    else if (lastKey !== 'type' && line.subarray(from + 1, to).includes(text)) return true
    else lastKey = ''
    from = line.indexOf(QUOTE, to + 1)
  }
  return false
}

const EVERY_BYTE = 0x01010101

/** In place, four bytes at a time. */
function lowercaseAscii(bytes: Buffer): Buffer {
  const { buffer, byteOffset, length } = bytes
  const from = Math.min((4 - (byteOffset % 4)) % 4, length)
  const words = length < 8 ? new Int32Array() : new Int32Array(buffer, byteOffset + from, (length - from) >> 2)
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    const low = word & (0x7f * EVERY_BYTE)
    // The top bit of a byte: at least "A", and not above "Z". Bytes of other characters have it set already.
    const isUpper = (low + 0x3f * EVERY_BYTE) & ~(low + 0x25 * EVERY_BYTE) & ~word & ~(0x7f * EVERY_BYTE)
    words[i] = word | (isUpper >>> 2)
  }
  for (let i = 0; i < from; i++) bytes[i] = lowercaseByte(bytes[i]!)
  for (let i = from + words.length * 4; i < length; i++) bytes[i] = lowercaseByte(bytes[i]!)
  return bytes
}

function lowercaseByte(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
}
