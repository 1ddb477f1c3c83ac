/** Whether the events of episodes are still those that were recorded. */
import { join } from 'node:path'
import { codeOf } from '../base/errors.ts'
import { sha256 } from '../base/hash.ts'
import { openRegular } from '../base/regular-file.ts'
import { statIfExists, toDiskError } from './disk.ts'
import type { EpisodeLine } from './records.ts'
import { EVENTS_FILE, readState } from './run-files.ts'

/** Enough to notice damage and edits; a whole SHA-256 would be a third of a journal line. */
const HASH_DIGITS = 32

export function eventsHash(events: string | Uint8Array): string {
  return sha256(events).slice(0, HASH_DIGITS)
}

export interface Evidence {
  /** Episodes whose events have the hash of their line. */
  intact: number
  /** Episodes recorded by a version that stored no hash. */
  unknown: number
  damaged: EpisodeLine[]
}

/** When the events of a run were last written, in milliseconds; 0 if there are none. */
export async function eventsModified(folder: string): Promise<number> {
  return (await statIfExists(join(folder, EVENTS_FILE)))?.mtimeMs ?? 0
}

/** Whether the events were not written since their hashes last matched: then they need not be read again. */
export async function hasKnownEvents(folder: string): Promise<boolean> {
  const [state, modified] = await Promise.all([readState(folder), eventsModified(folder)])
  return modified !== 0 && state?.eventsModified === modified
}

/** Reads the events of all episodes and compares their hashes. */
export async function checkEvidence(eventsPath: string, lines: Iterable<EpisodeLine>): Promise<Evidence> {
  const evidence: Evidence = { intact: 0, unknown: 0, damaged: [] }
  const ordered = [...lines].sort((a, b) => a.events[0] - b.events[0])
  const withHash = ordered.filter(({ hash }) => hash !== undefined)
  evidence.unknown = ordered.length - withHash.length
  if (withHash.length === 0) return evidence
  try {
    const file = await openRegular(eventsPath).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return null
      throw error
    })
    if (file === null) return { ...evidence, damaged: withHash }
    try {
      const { size } = await file.stat()
      let buffer = Buffer.alloc(0)
      let end = 0
      for (const line of withHash) {
        const [offset, length] = line.events
        // Checked before allocating, because an edited line may claim any length. No two episodes share events, and
        // thousands of edited lines could claim the whole file.
        const isThere = (length === 0 || offset >= end) && offset + length <= size
        if (isThere) end = Math.max(end, offset + length)
        if (isThere && buffer.length < length) buffer = Buffer.allocUnsafe(length)
        const { bytesRead } = isThere ? await file.read(buffer, 0, length, offset) : { bytesRead: 0 }
        if (isThere && bytesRead === length && eventsHash(buffer.subarray(0, length)) === line.hash)
          evidence.intact += 1
        else evidence.damaged.push(line)
      }
    } finally {
      await file.close()
    }
  } catch (error) {
    throw toDiskError(error, eventsPath)
  }
  return evidence
}
