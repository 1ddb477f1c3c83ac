import type { FileHandle } from 'node:fs/promises'

/** Reads the boxes of an MP4 or QuickTime file, to detect truncated and damaged files before decoding. */

interface Box {
  kind: string
  /** As stated in the file; 0 means to the end of the file. */
  size: number
  start: number
}

const HEADER_BYTES = 16
/** Files of this family start with one of these. */
const FIRST_BOXES = new Set(['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot', 'styp', 'uuid'])

/** Describes the damage of an MP4 file; undefined if it is intact or not an MP4. */
export async function findMp4Damage(file: FileHandle, fileSize: number): Promise<string | undefined> {
  const boxes: Box[] = []
  for (let start = 0; start + 8 <= fileSize;) {
    const header = Buffer.alloc(HEADER_BYTES)
    await file.read(header, 0, HEADER_BYTES, start)
    const kind = header.toString('latin1', 4, 8)
    if (boxes.length === 0 && !FIRST_BOXES.has(kind)) return undefined
    const short = header.readUInt32BE(0)
    const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short
    boxes.push({ kind, size, start })
    if (size === 0) break
    if (size < 8) return `the box at byte ${start} has an invalid size (${size})`
    if (start + size > fileSize) {
      return `box "${printable(kind)}" at byte ${start} should have ${size} bytes, but the file ends after ${fileSize - start}`
    }
    start += size
  }
  const kinds = new Set(boxes.map(({ kind }) => kind))
  const index = boxes.find(({ kind }) => kind === 'moov')
  if (!index || !kinds.has('moov')) {
    return 'the index (box "moov") is missing, so the recording or download is incomplete'
  }
  if (index.size > INDEX_LIMIT) return `the index (box "moov") has an invalid size (${index.size})`
  const bytes = new Uint8Array(index.size === 0 ? Math.min(INDEX_LIMIT, fileSize - index.start) : index.size)
  await file.read(bytes, 0, bytes.byteLength, index.start)
  return findTableDamage(bytes, 8, bytes.byteLength)
}

/** Enough for ten hours at 60 frames per second. */
const INDEX_LIMIT = 256 << 20
const TABLE_CONTAINERS = new Set(['trak', 'mdia', 'minf', 'stbl'])
/** Run-length coded tables: frame durations and composition offsets. */
const RUN_TABLES = new Set(['stts', 'ctts'])

/** A damaged run length of billions would keep a reader busy for hours, so runs are checked against the frame count. */
function findTableDamage(bytes: Uint8Array, start: number, end: number): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let frames: number | undefined
  const runs: { kind: string; total: number }[] = []
  for (let at = start; at + 8 <= end;) {
    const size = view.getUint32(at)
    const kind = Buffer.from(bytes.subarray(at + 4, at + 8)).toString('latin1')
    if (size < 8 || at + size > end) return `box "${printable(kind)}" in the index has an invalid size (${size})`
    if (TABLE_CONTAINERS.has(kind)) {
      const damage = findTableDamage(bytes, at + 8, at + size)
      if (damage) return damage
    } else if (kind === 'stsz' && size >= 20) {
      frames = view.getUint32(at + 16)
      // Individual sizes take four bytes each; a common size takes none.
      if (view.getUint32(at + 12) === 0 && frames * 4 > size - 20)
        return 'the table of frame sizes ("stsz") is truncated'
    } else if (RUN_TABLES.has(kind) && size >= 16) {
      const entries = view.getUint32(at + 12)
      if (entries * 8 > size - 16) return `the table of frame times ("${kind}") is truncated`
      let total = 0
      for (let i = 0; i < entries; i++) total += view.getUint32(at + 16 + i * 8)
      runs.push({ kind, total })
    } else if (kind === 'stsc' && size >= 16) {
      const entries = view.getUint32(at + 12)
      if (entries * 12 > size - 16) return 'the table of chunks ("stsc") is truncated'
      // Neither a chunk's number nor its frame count can exceed the number of frames.
      let total = 0
      for (let i = 0; i < entries * 2; i++)
        total = Math.max(total, view.getUint32(at + 16 + (i >> 1) * 12 + (i & 1) * 4))
      runs.push({ kind, total })
    }
    at += size
  }
  // Some writers are off by one or two.
  const wrong = runs.find(({ total }) => frames !== undefined && total > 2 * frames + 16)
  return wrong && `table "${wrong.kind}" covers ${wrong.total} frames, but the video has ${frames}`
}

function printable(kind: string): string {
  return kind.replaceAll(/[^ -~]/g, '?')
}

const TIMED_BOXES = new Set(['mvhd', 'tkhd', 'mdhd'])
const CONTAINERS = new Set(['moov', 'trak', 'mdia'])

/** Zeroes the creation times of an MP4 in place, so the same video is always the same bytes. */
export function clearCreationTimes(bytes: Uint8Array, start = 0, end = bytes.byteLength): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = start; at + 8 <= end;) {
    const kind = Buffer.from(bytes.subarray(at + 4, at + 8)).toString('latin1')
    const short = view.getUint32(at)
    const size = short === 1 ? Number(view.getBigUint64(at + 8)) : short === 0 ? end - at : short
    if (size < 8) return
    if (CONTAINERS.has(kind)) clearCreationTimes(bytes, at + 8, at + size)
    // Version byte, three flag bytes, then creation and modification time: 8 bytes each in version 1, else 4.
    else if (TIMED_BOXES.has(kind)) bytes.fill(0, at + 12, at + 12 + (bytes[at + 8] === 1 ? 16 : 8))
    at += size
  }
}
