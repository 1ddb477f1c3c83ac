/** What is in the folder of a dataset: a line for each file, appended when the file is complete. */
import { appendFile, mkdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { readRegularText } from '../base/regular-file.ts'
import { hashFile } from './hash.ts'
import { OWN_FOLDER, placeIn } from './safe-path.ts'

const hash = z.string().regex(/^(sha256|git|crc32):[0-9a-f]+$/)
const head = z.object({
  dataset: z.string(),
  license: z.string().nullable(),
  /** Where it was fetched from, with the commit. */
  from: z.string(),
  /** The files that it is made of, as they are published. */
  expected: z.array(z.string()).optional(),
})
const line = z.object({
  path: z.string(),
  bytes: z.int().min(0),
  hash,
  /** The archive that it was in. */
  archive: z.string().optional(),
  /** An archive that was unpacked and removed. */
  unpacked: z.boolean().optional(),
})

export type RecordHead = z.output<typeof head>
export type RecordedFile = z.output<typeof line>

export class DatasetRecord {
  readonly folder: string
  head: RecordHead | null
  readonly files: Map<string, RecordedFile>

  private constructor(folder: string, start: RecordHead | null, files: Map<string, RecordedFile>) {
    this.folder = folder
    this.head = start
    this.files = files
  }

  /** The record of a folder; empty if there is none. */
  static async read(folder: string): Promise<DatasetRecord> {
    const files = new Map<string, RecordedFile>()
    let start: RecordHead | null = null
    for (const text of (await readRegularText(recordFile(folder)).catch(missing)).split('\n')) {
      const value = parsed(text)
      const asHead = head.safeParse(value)
      if (asHead.success) start = asHead.data
      // A line that was cut off when the program ended: its file is fetched again.
      const asLine = line.safeParse(value)
      if (asLine.success) files.set(asLine.data.path, asLine.data)
    }
    return new DatasetRecord(folder, start, files)
  }

  async start(start: RecordHead): Promise<void> {
    this.head = start
    await mkdir(join(this.folder, OWN_FOLDER), { recursive: true })
    // A line that was cut off ends here.
    await appendFile(recordFile(this.folder), `\n${JSON.stringify(start)}\n`)
  }

  async add(file: RecordedFile): Promise<void> {
    this.files.set(file.path, file)
    await appendFile(recordFile(this.folder), `${JSON.stringify(file)}\n`)
  }

  /** Whether the folder has this very file, by record and size; `check` compares the contents. */
  async has(path: string, fileHash: string): Promise<boolean> {
    const file = this.files.get(path)
    if (file?.hash !== fileHash) return false
    if (file.unpacked) {
      const inside = [...this.files.values()].filter(({ archive }) => archive === path)
      for (const each of inside) if (!(await this.#isThere(each))) return false
      return true
    }
    return this.#isThere(file)
  }

  async #isThere({ path, bytes }: RecordedFile): Promise<boolean> {
    const stats = await stat(join(this.folder, path)).catch(() => null)
    return stats?.isFile() === true && stats.size === bytes
  }

  /** Reads every file and compares it with its hash. */
  async check(onFile?: (done: number, of: number) => void): Promise<DatasetCheck> {
    const kept = [...this.files.values()].filter(({ unpacked }) => !unpacked)
    const notFetched = (this.head?.expected ?? []).filter((path) => !this.files.has(path))
    const found: DatasetCheck = { intact: 0, damaged: [], missing: notFetched }
    for (const [i, { path, hash: expected, bytes }] of kept.entries()) {
      onFile?.(i, kept.length)
      const place = await placeIn(this.folder, path, recordFile(this.folder))
      const stats = await stat(place).catch(() => null)
      if (stats === null) found.missing.push(path)
      else if (stats.isFile() && stats.size === bytes && (await hashFile(place, expected)) === expected) found.intact++
      else found.damaged.push(path)
    }
    onFile?.(kept.length, kept.length)
    return found
  }

  /** Forgets files, with those that were in the same archive, so that they are fetched again. */
  async forget(paths: readonly string[]): Promise<void> {
    const archives = new Set(paths.map((path) => this.files.get(path)?.archive))
    for (const path of [...paths, ...archives]) if (path !== undefined) this.files.delete(path)
    await this.#rewrite()
  }

  /** Removes the files of the dataset, and folders that are empty then. Other files stay. */
  async remove(): Promise<void> {
    await this.#removeFiles([...this.files.values()])
    await rm(join(this.folder, OWN_FOLDER), { recursive: true, force: true })
    await rmdir(this.folder).catch(() => {})
  }

  /** Removes files of an earlier commit that the newest one no longer has: some sources read all files of a name. */
  async removeAllBut(published: ReadonlySet<string>): Promise<void> {
    const stale = [...this.files.values()].filter(({ path, archive }) => !published.has(archive ?? path))
    await this.#removeFiles(stale)
    for (const { path } of stale) this.files.delete(path)
    if (stale.length > 0) await this.#rewrite()
  }

  async #rewrite(): Promise<void> {
    const file = recordFile(this.folder)
    const lines = [this.head, ...this.files.values()].map((each) => JSON.stringify(each))
    await writeFile(`${file}.new`, `${lines.join('\n')}\n`)
    await rename(`${file}.new`, file)
  }

  async #removeFiles(files: readonly RecordedFile[]): Promise<void> {
    const folders = new Set<string>()
    for (const { path, unpacked } of files) {
      if (unpacked) continue
      const place = await placeIn(this.folder, path, recordFile(this.folder))
      await rm(place, { force: true })
      for (let at = dirname(path); at !== '.'; at = dirname(at)) folders.add(at)
    }
    for (const each of [...folders].toSorted((a, b) => b.length - a.length))
      await rmdir(join(this.folder, each)).catch(() => {})
  }
}

export interface DatasetCheck {
  intact: number
  damaged: string[]
  missing: string[]
}

function recordFile(folder: string): string {
  return join(folder, OWN_FOLDER, 'files.jsonl')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function missing(error: unknown): string {
  if (error instanceof UserError) throw error
  return ''
}
