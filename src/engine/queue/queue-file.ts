/** The queue that a run was last played on, in the run's folder, so that `resume` goes back to where its workers are. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeAtomically } from '../../store/disk.ts'
import type { Store } from '../../store/store.ts'

const FILE = 'queue.json'
const schema = z.object({ on: z.string() })

/** `shown` is the address without its password: no secret is written. */
export async function writeQueueFile(store: Store, run: string, shown: string): Promise<void> {
  await writeAtomically(join(store.dir, 'runs', run, FILE), `${JSON.stringify({ on: shown })}\n`)
}

/** Where a run was played last; null when that was in the process itself. */
export async function readQueueFile(runFolder: string): Promise<string | null> {
  const text = await readFile(join(runFolder, FILE), 'utf8').catch(() => null)
  if (text === null) return null
  try {
    return schema.parse(JSON.parse(text)).on
  } catch {
    return null
  }
}

export async function removeQueueFile(runFolder: string): Promise<void> {
  await rm(join(runFolder, FILE), { force: true })
}
