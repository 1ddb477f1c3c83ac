/** Unpacks zip archives of any size. Nothing is written outside the folder, and nothing larger than declared. */
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { messageOf, UserError } from '../base/errors.ts'
import { crcHash } from './hash.ts'
import type { RecordedFile } from './record.ts'
import { placeIn } from './safe-path.ts'

const MAX_ENTRIES = 1_000_000
/** Deflate cannot do better: a larger entry lies about its size. */
const DEFLATE_RATIO = 1032
const FILE_TYPE = 0o170000
const LINK = 0o120000

export interface Unpacking {
  archive: string
  /** Name for messages. */
  name: string
  folder: string
  /** Where entries go in the folder; null leaves an entry out. */
  pathOf(entry: string): string | null
  signal: AbortSignal
  onFile(file: Omit<RecordedFile, 'archive'>): Promise<void>
  /** Bytes of all entries, before any is written. */
  onSize?(bytes: number): Promise<void>
}

/** Unpacks all files of an archive. Returns the comment of the archive. */
export async function unpackZip(job: Unpacking): Promise<string> {
  const zip = await openPromise(job.archive, { autoClose: false }).catch((error: unknown) => {
    throw invalid(job.name, messageOf(error))
  })
  try {
    const entries: { entry: Entry; path: string }[] = []
    let bytes = 0
    for await (const entry of zip.eachEntry()) {
      if (entries.length === MAX_ENTRIES) throw invalid(job.name, `it has more than ${MAX_ENTRIES} entries`)
      if (entry.fileName.endsWith('/')) continue
      const path = job.pathOf(entry.fileName)
      if (path === null) continue
      const problem = problemOf(entry)
      if (problem !== null)
        throw invalid(job.name, `its entry ${JSON.stringify(entry.fileName.slice(0, 200))} ${problem}`)
      entries.push({ entry, path })
      bytes += entry.uncompressedSize
    }
    await job.onSize?.(bytes)
    for (const { entry, path } of entries) {
      job.signal.throwIfAborted()
      await writeEntry(zip, entry, path, job)
    }
    return zip.comment
  } catch (error) {
    if (error instanceof UserError || job.signal.aborted || isFull(error)) throw error
    throw invalid(job.name, messageOf(error))
  } finally {
    zip.close()
  }
}

function problemOf(entry: Entry): string | null {
  if (((entry.externalFileAttributes >>> 16) & FILE_TYPE) === LINK) return 'is a link'
  if (entry.isEncrypted()) return 'is encrypted'
  return entry.uncompressedSize > (entry.compressedSize + 1) * DEFLATE_RATIO ? 'cannot be as large as it says' : null
}

async function writeEntry(zip: ZipFile, entry: Entry, path: string, job: Unpacking): Promise<void> {
  const place = await placeIn(job.folder, path, job.name)
  const part = `${place}.part`
  await mkdir(dirname(place), { recursive: true })
  let sum = 0
  const count = new Transform({
    transform(chunk: Buffer, _, done) {
      sum = crc32(chunk, sum)
      done(null, chunk)
    },
  })
  try {
    // The stream fails if an entry has more or fewer bytes than declared.
    await pipeline(await zip.openReadStreamPromise(entry), count, createWriteStream(part), { signal: job.signal })
    if (sum >>> 0 !== entry.crc32) throw invalid(job.name, `its entry ${JSON.stringify(path)} is damaged`)
    await rename(part, place)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  await job.onFile({ path, bytes: entry.uncompressedSize, hash: crcHash(sum) })
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC'
}

function invalid(name: string, problem: string): UserError {
  return new UserError(`${name} cannot be unpacked: ${problem.replace(/\.$/, '')}.`)
}
