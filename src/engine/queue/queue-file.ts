/** `queue.json` in the folder of a run: the queue it was last played on, which `resume` uses again. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeAtomically } from '../../store/disk.ts'
import type { Store } from '../../store/store.ts'
import { readRegularText } from '../../base/regular-file.ts'

const FILE = 'queue.json'
const schema = z.object({ on: z.string() })

/** `shown` is the URL without its password. */
export async function writeQueueFile(store: Store, run: string, shown: string): Promise<void> {
  await writeAtomically(join(store.dir, 'runs', run, FILE), `${JSON.stringify({ on: shown })}\n`)
}

/** The queue a run was last played on; null if it was played without one. */
export async function readQueueFile(runFolder: string): Promise<string | null> {
  const text = await readRegularText(join(runFolder, FILE)).catch(() => null)
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
