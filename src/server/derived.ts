/** Files the server generates and caches in the store. A store may be untrusted, so symbolic links are not followed. */
import { constants } from 'node:fs'
import { mkdir, open, realpath } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { writeAtomically } from '../store/disk.ts'

export class DerivedFiles {
  readonly #store: string
  readonly #folder: string

  /** @param parts path of the folder, relative to the store */
  constructor(storeDir: string, ...parts: readonly string[]) {
    this.#store = storeDir
    this.#folder = join(storeDir, ...parts)
  }

  /** `null` when the file is missing or not a regular file. */
  async read(name: string): Promise<Buffer | null> {
    try {
      const folder = await this.#realFolder()
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
      const file = await open(join(folder, basename(name)), flags)
      try {
        return (await file.stat()).isFile() ? await file.readFile() : null
      } finally {
        await file.close()
      }
    } catch {
      return null
    }
  }

  /** Does nothing when the store is read-only. */
  async write(name: string, bytes: Uint8Array): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true })
      await writeAtomically(join(await this.#realFolder(), basename(name)), bytes)
    } catch {
      // It is generated again on the next request.
    }
  }

  async #realFolder(): Promise<string> {
    const [folder, store] = await Promise.all([realpath(this.#folder), realpath(this.#store)])
    if (folder.startsWith(store + sep)) return folder
    throw new Error(`${this.#folder} is outside the store`)
  }
}
