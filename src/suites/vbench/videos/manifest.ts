/** What is known of every sampled video: a line of JSON each, appended when the video is whole. */
import { open, readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { codeOf } from '../../../base/errors.ts'
import { explained } from '../../../store/disk.ts'

export const MANIFEST_FILE = 'manifest.jsonl'

const line = z.looseObject({
  /** Name in the folder. */
  file: z.string(),
  prompt: z.string(),
  /** What the generator was given. */
  text: z.string(),
  index: z.int().min(0),
  seed: z.int(),
  generator: z.string(),
  model: z.string().nullable(),
  fps: z.number(),
  frames: z.int(),
  width: z.int(),
  height: z.int(),
  seconds: z.number(),
  bytes: z.int(),
  sha256: z.string(),
  /** Of the plan that it was sampled for. */
  plan: z.string(),
})
export type ManifestLine = z.infer<typeof line>

export interface Manifest {
  /** By file name; a later line replaces an earlier one. */
  lines: Map<string, ManifestLine>
  /** Lines that could not be read. */
  broken: number
}

export async function readManifest(folder: string): Promise<Manifest> {
  const manifest: Manifest = { lines: new Map(), broken: 0 }
  let text: string
  try {
    text = await readFile(join(folder, MANIFEST_FILE), 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return manifest
    throw error
  }
  for (const row of text.split('\n')) {
    if (row.trim() === '') continue
    const parsed = line.safeParse(tryJson(row))
    // A name with a slash in it would leave the folder: nothing that we wrote, so nothing that we read.
    if (parsed.success && !/[/\\]/.test(parsed.data.file)) manifest.lines.set(parsed.data.file, parsed.data)
    else manifest.broken += 1
  }
  return manifest
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Appends lines one after the other, each synced: whoever wrote a line may rely on it. */
export class ManifestWriter {
  readonly #path: string
  #last: Promise<void> = Promise.resolve()
  #checked = false

  constructor(folder: string) {
    this.#path = join(folder, MANIFEST_FILE)
  }

  append(row: ManifestLine): Promise<void> {
    const next = this.#last.then(() => this.#write(`${JSON.stringify(row)}\n`))
    this.#last = next.catch(() => {})
    return next
  }

  async #write(text: string): Promise<void> {
    await explained(this.#path, async () => {
      if (!this.#checked) await cutTornLine(this.#path)
      this.#checked = true
      const file = await open(this.#path, 'a')
      try {
        await file.appendFile(text)
        await file.datasync()
      } finally {
        await file.close()
      }
    })
  }
}

/** A crash in the middle of a write leaves half a line, which the next one must not follow. */
export async function cutTornLine(path: string): Promise<void> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  const end = bytes.lastIndexOf(10) + 1
  if (end < bytes.length) await truncate(path, end)
}
