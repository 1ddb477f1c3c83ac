/** Reads untrusted zip archives: sizes are bounded, and names are never used as paths. */
import { unzipSync, type UnzipFileInfo } from 'fflate'
import { messageOf, UserError } from '../errors.ts'

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
/** An entry may unpack to this, and to eight times the archive on top. Text compresses to a tenth of its size. */
const FREE_ENTRY_BYTES = 64 << 20
const MAX_ENTRY_RATIO = 8
const MAX_ENTRY_BYTES = 500_000_000
/** All entries together may unpack to this, and to 200 times the archive on top. */
const FREE_BYTES = 256 << 20
const MAX_RATIO = 200
/** Deflate cannot do better: a larger entry lies about its size. */
const DEFLATE_RATIO = 1032
/** Bytes of an entry in the archive's directory. */
const DIRECTORY_ENTRY_BYTES = 46

export interface ZipEntry {
  name: string
  bytes: number
}

/** The entries of an archive, after a check of everything that it declares. `where` is for messages. */
export function listZip(archive: Uint8Array, where: string): ZipEntry[] {
  const entries: ZipEntry[] = []
  let total = 0
  const visit = (info: UnzipFileInfo): boolean => {
    total += info.originalSize
    const problem = problemOf(info, archive.length)
    if (problem !== null) throw problem instanceof UserError ? problem : invalidZip(where, problem)
    // A directory may declare four billion entries in a few bytes.
    if ((entries.length + 1) * DIRECTORY_ENTRY_BYTES > archive.length)
      throw invalidZip(where, 'it declares more entries than it has room for')
    if (total > FREE_BYTES + MAX_RATIO * archive.length)
      throw invalidZip(where, `it unpacks to more than ${MAX_RATIO} times its size`)
    entries.push({ name: info.name, bytes: info.originalSize })
    return false
  }
  unzip(archive, visit, where)
  return entries

  function problemOf({ name, size, originalSize, compression }: UnzipFileInfo, archiveBytes: number) {
    const entry = `entry ${JSON.stringify(name.slice(0, 200))}`
    if (compression !== STORED && compression !== DEFLATED) {
      const method = METHOD_NAMES[compression] ?? `method ${compression}`
      return new UserError(`${where}: ${entry} is compressed with ${method}, which is not supported.`, {
        hint: 'Convert it with the tool that wrote it (for Inspect: "inspect log convert --to json --output-dir DIR FILE").',
      })
    }
    if (originalSize > Math.min(MAX_ENTRY_BYTES, FREE_ENTRY_BYTES + MAX_ENTRY_RATIO * archiveBytes))
      return `${entry} unpacks to ${originalSize} bytes, too many for an archive of ${archiveBytes}`
    if (size > archiveBytes) return `${entry} has ${size} bytes, more than the archive`
    const possible = compression === STORED ? originalSize === size : originalSize <= (size + 1) * DEFLATE_RATIO
    return possible ? null : `${entry} cannot unpack to ${originalSize} bytes`
  }
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
    // Entries of one name count once: the archive may have thousands of them.
    const left = new Set(batch)
    const files = unzip(archive, ({ name }) => left.delete(name), where)
    for (const name of batch) {
      const data = files.get(name)
      if (data !== undefined) yield [name, decoder.decode(data)]
    }
  }
}

/** The bytes of some entries. Call `listZip` first: this trusts the declared sizes. */
export function unzip(
  archive: Uint8Array,
  filter: (info: UnzipFileInfo) => boolean,
  where: string,
): Map<string, Uint8Array> {
  try {
    return new Map(Object.entries(unzipSync(archive, { filter })))
  } catch (error) {
    if (error instanceof UserError) throw error
    throw invalidZip(where, `not a valid zip archive (${messageOf(error)})`)
  }
}

function invalidZip(where: string, problem: string): UserError {
  return new UserError(`${where}: ${problem}.`)
}
