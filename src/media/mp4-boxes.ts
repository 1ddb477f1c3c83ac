import type { FileHandle } from 'node:fs/promises'

/** The outer boxes of an mp4 or QuickTime file: enough to tell a whole file from one that ends early. */

interface Box {
  kind: string
  /** As the file states it; 0 means to the end of the file. */
  size: number
  start: number
}

const HEADER_BYTES = 16
/** Files of this family start with one of these. */
const FIRST_BOXES = new Set(['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot', 'styp', 'uuid'])

/** A sentence on what is missing of an mp4; undefined when it is whole or no mp4 at all. */
export async function mp4Damage(file: FileHandle, fileSize: number): Promise<string | undefined> {
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
    if (size < 8) return `the part at byte ${start} has an impossible size (${size})`
    if (start + size > fileSize) {
      return `its part "${printable(kind)}" at byte ${start} should have ${size} bytes, but the file ends after ${fileSize - start}`
    }
    start += size
  }
  const kinds = new Set(boxes.map(({ kind }) => kind))
  const index = boxes.find(({ kind }) => kind === 'moov')
  if (!index || !kinds.has('moov')) {
    return 'its index (the "moov" part) is missing; the recording or download was not finished'
  }
  if (index.size > INDEX_LIMIT) return `its index has ${index.size} bytes, more than any film needs`
  const bytes = new Uint8Array(index.size === 0 ? Math.min(INDEX_LIMIT, fileSize - index.start) : index.size)
  await file.read(bytes, 0, bytes.byteLength, index.start)
  return tableDamage(bytes, 8, bytes.byteLength)
}

/** The index of a film of ten hours at sixty frames a second stays below this. */
const INDEX_LIMIT = 256 << 20
const TABLE_CONTAINERS = new Set(['trak', 'mdia', 'minf', 'stbl'])
/** Lists that say for how many frames each of their entries holds: durations and delays. */
const RUN_TABLES = new Set(['stts', 'ctts'])

/** A run length of billions in a broken index would keep a reader busy for hours. Frames are counted once, elsewhere. */
function tableDamage(bytes: Uint8Array, start: number, end: number): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let frames: number | undefined
  const runs: { kind: string; total: number }[] = []
  for (let at = start; at + 8 <= end;) {
    const size = view.getUint32(at)
    const kind = Buffer.from(bytes.subarray(at + 4, at + 8)).toString('latin1')
    if (size < 8 || at + size > end)
      return `the part "${printable(kind)}" of its index has an impossible size (${size})`
    if (TABLE_CONTAINERS.has(kind)) {
      const damage = tableDamage(bytes, at + 8, at + size)
      if (damage) return damage
    } else if (kind === 'stsz' && size >= 20) {
      frames = view.getUint32(at + 16)
      // Sizes of their own take four bytes each; one size for all takes none.
      if (view.getUint32(at + 12) === 0 && frames * 4 > size - 20) return 'its list of frame sizes is cut off'
    } else if (RUN_TABLES.has(kind) && size >= 16) {
      const entries = view.getUint32(at + 12)
      if (entries * 8 > size - 16) return `its list of frame times ("${kind}") is cut off`
      let total = 0
      for (let i = 0; i < entries; i++) total += view.getUint32(at + 16 + i * 8)
      runs.push({ kind, total })
    } else if (kind === 'stsc' && size >= 16) {
      const entries = view.getUint32(at + 12)
      if (entries * 12 > size - 16) return 'its list of chunks ("stsc") is cut off'
      // No chunk has more frames, or a higher number, than there are frames.
      let total = 0
      for (let i = 0; i < entries * 2; i++)
        total = Math.max(total, view.getUint32(at + 16 + (i >> 1) * 12 + (i & 1) * 4))
      runs.push({ kind, total })
    }
    at += size
  }
  // Some writers count one or two more than there are.
  const wrong = runs.find(({ total }) => frames !== undefined && total > 2 * frames + 16)
  return wrong && `its list "${wrong.kind}" speaks of ${wrong.total} frames, but it has ${frames}`
}

function printable(kind: string): string {
  return kind.replaceAll(/[^ -~]/g, '?')
}

const TIMED_BOXES = new Set(['mvhd', 'tkhd', 'mdhd'])
const CONTAINERS = new Set(['moov', 'trak', 'mdia'])

/** Sets the times of creation in an mp4 to zero in place, so that the same film is the same bytes. */
export function clearCreationTimes(bytes: Uint8Array, start = 0, end = bytes.byteLength): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = start; at + 8 <= end;) {
    const kind = Buffer.from(bytes.subarray(at + 4, at + 8)).toString('latin1')
    const short = view.getUint32(at)
    const size = short === 1 ? Number(view.getBigUint64(at + 8)) : short === 0 ? end - at : short
    if (size < 8) return
    if (CONTAINERS.has(kind)) clearCreationTimes(bytes, at + 8, at + size)
    // A version byte and three of flags, then creation and modification, of 8 bytes each in version 1.
    else if (TIMED_BOXES.has(kind)) bytes.fill(0, at + 12, at + 12 + (bytes[at + 8] === 1 ? 16 : 8))
    at += size
  }
}
