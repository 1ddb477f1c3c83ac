/** Reads untrusted zip archives: sizes are bounded, and names are never used as paths. */
import { unzipSync, type UnzipFileInfo, zipSync } from 'fflate'
import { messageOf } from '../../base/errors.ts'
import { invalidLog } from './types.ts'

const STORED = 0
const DEFLATED = 8
const METHOD_NAMES: Readonly<Record<number, string>> = {
  12: 'bzip2',
  14: 'LZMA',
  93: 'Zstandard',
  95: 'XZ',
  98: 'PPMd',
}

/** Entries are unpacked in batches of this size, so an archive is never entirely in memory. */
const BATCH_BYTES = 64 << 20
/** Larger archives are rejected: a small file can unpack to any size. */
export const MAX_UNPACKED_BYTES = 8 * 2 ** 30
const MAX_ENTRY_BYTES = 500_000_000
const MAX_ENTRIES = 2_000_000

export interface ZipEntry {
  name: string
  bytes: number
}

export function listZip(archive: Uint8Array, where: string): ZipEntry[] {
  const entries: ZipEntry[] = []
  let total = 0
  let problem: Error | null = null
  const visit = (info: UnzipFileInfo): boolean => {
    total += info.originalSize
    if (problem === null) problem = problemOf(info, total, entries.length, where)
    entries.push({ name: info.name, bytes: info.originalSize })
    return false
  }
  unzip(archive, visit, where)
  if (problem !== null) throw problem
  return entries
}

function problemOf(info: UnzipFileInfo, total: number, count: number, where: string): Error | null {
  if (info.compression !== STORED && info.compression !== DEFLATED) {
    const method = METHOD_NAMES[info.compression] ?? `method ${info.compression}`
    return invalidLog(
      where,
      `entry ${JSON.stringify(info.name)} is compressed with ${method}, which is not supported`,
      'Convert it with the tool that wrote it (for Inspect: "inspect log convert --to json --output-dir DIR FILE").',
    )
  }
  if (info.originalSize > MAX_ENTRY_BYTES) {
    return invalidLog(
      where,
      `entry ${JSON.stringify(info.name)} unpacks to ${info.originalSize} bytes, more than the maximum of ${MAX_ENTRY_BYTES}`,
    )
  }
  if (total > MAX_UNPACKED_BYTES)
    return invalidLog(where, `the archive unpacks to more than ${MAX_UNPACKED_BYTES} bytes`)
  return count > MAX_ENTRIES ? invalidLog(where, `the archive has more than ${MAX_ENTRIES} entries`) : null
}

/** Names and texts of the given entries, unpacked in batches. */
export function* readZip(
  archive: Uint8Array,
  entries: readonly ZipEntry[],
  where: string,
): Generator<[string, string]> {
  const decoder = new TextDecoder()
  let at = 0
  while (at < entries.length) {
    const batch = new Set<string>()
    let bytes = 0
    while (at < entries.length && (batch.size === 0 || bytes + entries[at]!.bytes <= BATCH_BYTES)) {
      batch.add(entries[at]!.name)
      bytes += entries[at]!.bytes
      at++
    }
    const files = unzip(archive, ({ name }) => batch.has(name), where)
    for (const name of batch) {
      const data = files.get(name)
      if (data !== undefined) yield [name, decoder.decode(data)]
    }
  }
}

/**
 * Repacks an archive without compression, within the sizes stated in its directory: safe for libraries that do not
 * bound what they unpack.
 */
export function toUncompressedZip(archive: Uint8Array, where: string): Uint8Array {
  return zipSync(Object.fromEntries(unzip(archive, () => true, where)), { level: 0 })
}

function unzip(archive: Uint8Array, filter: (info: UnzipFileInfo) => boolean, where: string): Map<string, Uint8Array> {
  try {
    return new Map(Object.entries(unzipSync(archive, { filter })))
  } catch (error) {
    throw invalidLog(where, `not a valid zip archive (${messageOf(error)})`)
  }
}
