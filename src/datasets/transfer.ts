/** Downloads a file so that it can be continued: after a dropped connection, and after the program was ended. */
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { messageOf, UserError } from '../base/errors.ts'
import { type RunningHash, startHash } from './hash.ts'

/** Attempts in a row that bring nothing. */
const MAX_FRUITLESS = 5
const FIRST_WAIT_MS = 1000
/** Without data for this time, a connection is closed. */
const STALLED_MS = 60_000

/** A file as its publisher describes it. */
export interface RemoteFile {
  path: string
  bytes: number
  /** With its kind: `sha256:…`. */
  hash: string
}

export interface Transfer {
  file: RemoteFile
  /** Opens the remote file from an offset on. Requests must end when the signal aborts. */
  open: (from: number, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>
  /** Whether another attempt may help. */
  isTemporary(error: unknown): boolean
  /** Where the unfinished file is, and where it goes. */
  part: string
  place: string
  signal: AbortSignal
  onBytes?: (bytes: number) => void
  /** Waits between attempts. */
  wait(ms: number): Promise<void>
}

export async function transfer(job: Transfer): Promise<void> {
  const { file, part, place } = job
  await mkdir(dirname(part), { recursive: true })
  // Also a file without any bytes is a file.
  await (await open(part, 'a')).close()
  let fruitless = 0
  let hasRestarted = false
  for (;;) {
    job.signal.throwIfAborted()
    const had = await sizeOf(part)
    try {
      const digest = await attempt(job)
      if (digest === file.hash) break
      await rm(part, { force: true })
      await (await open(part, 'a')).close()
      job.onBytes?.(-file.bytes)
      if (hasRestarted) {
        throw new UserError(`${file.path} was downloaded twice, and neither copy has the published checksum.`, {
          hint: 'A proxy may change it, or the publisher is replacing it: try again later.',
        })
      }
      hasRestarted = true
    } catch (error) {
      job.signal.throwIfAborted()
      if (error instanceof UserError || !job.isTemporary(error)) throw error
      fruitless = (await sizeOf(part)) > had ? 0 : fruitless + 1
      if (fruitless >= MAX_FRUITLESS)
        throw new UserError(`The download of ${file.path} fails: ${messageOf(error)}.`, {
          hint: 'Run the same command to continue where it stopped.',
          cause: error,
        })
      await job.wait(FIRST_WAIT_MS * 2 ** fruitless)
    }
  }
  await mkdir(dirname(place), { recursive: true })
  await rename(part, place)
}

/** Appends what is missing; returns the hash of the whole file. */
async function attempt({ file, part, open: openRemote, signal, onBytes }: Transfer): Promise<string> {
  const hash = startHash(file.hash, file.bytes)
  let size = await resumeFrom(part, file.bytes, hash)
  onBytes?.(size)
  if (size === file.bytes) return hash.digest()
  const stalled = new AbortController()
  const giveUp = (): void => stalled.abort(new Error(`no data for ${STALLED_MS / 1000} s`))
  const local = await open(part, 'a')
  let timer = setTimeout(giveUp, STALLED_MS)
  let received = size
  try {
    for await (const chunk of await openRemote(size, AbortSignal.any([signal, stalled.signal]))) {
      clearTimeout(timer)
      timer = setTimeout(giveUp, STALLED_MS)
      if (size + chunk.length > file.bytes) {
        // The server sends another file, or the whole file where the rest was asked for.
        await local.truncate(0)
        received = 0
        throw new Error('the server sent more than it announced')
      }
      await local.write(chunk)
      hash.update(chunk)
      size += chunk.length
      received = size
      onBytes?.(chunk.length)
    }
    if (size < file.bytes) throw new Error(`the connection ended after ${size} of ${file.bytes} bytes`)
    return hash.digest()
  } catch (error) {
    // The next attempt counts them again.
    onBytes?.(-size)
    throw received === 0 && size > 0 ? error : (stalled.signal.reason ?? error)
  } finally {
    clearTimeout(timer)
    await local.close()
  }
}

/** Hashes what an earlier attempt left. A file that is too long is not a part of this one. */
async function resumeFrom(part: string, bytes: number, hash: RunningHash): Promise<number> {
  const size = await sizeOf(part)
  if (size > bytes) {
    await rm(part, { force: true })
    return 0
  }
  if (size > 0) for await (const chunk of createReadStream(part)) hash.update(chunk as Uint8Array)
  return size
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0
}
