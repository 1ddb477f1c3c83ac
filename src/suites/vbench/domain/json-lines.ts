/** Files of JSON lines that only grow: each line is synced, and half a line from a crash is cut off. */
import { open, readFile, truncate } from 'node:fs/promises'
import { codeOf } from '../../../base/errors.ts'
import { explained } from '../../../store/disk.ts'

/** What is no JSON is undefined: half a line, or somebody else's. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The lines of a file, empty ones left out; none when it is not there. */
export async function readLinesOf(path: string): Promise<string[]> {
  try {
    return (await readFile(path, 'utf8')).split('\n').filter((row) => row.trim() !== '')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** Appends one after the other, each synced: whoever wrote a line may rely on it. */
export class SyncedLines {
  readonly #path: string
  #last: Promise<void> = Promise.resolve()
  #checked = false

  constructor(path: string) {
    this.#path = path
  }

  append(rows: readonly unknown[]): Promise<void> {
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
    const next = this.#last.then(() => explained(this.#path, () => this.#write(text)))
    this.#last = next.catch(() => {})
    return next
  }

  async #write(text: string): Promise<void> {
    if (!this.#checked) await cutTornLine(this.#path)
    this.#checked = true
    const file = await open(this.#path, 'a')
    try {
      await file.appendFile(text)
      await file.datasync()
    } finally {
      await file.close()
    }
  }
}

/** A crash in the middle of a write leaves half a line, which the next one must not follow. */
async function cutTornLine(path: string): Promise<void> {
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
