/** Files that the server makes and keeps in the store. A store may come from a stranger: no link in it is followed. */
import { constants } from 'node:fs'
import { mkdir, open, realpath } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { writeAtomically } from '../store/disk.ts'

export class DerivedFiles {
  readonly #store: string
  readonly #folder: string

  /** @param parts folders below the store */
  constructor(storeDir: string, ...parts: readonly string[]) {
    this.#store = storeDir
    this.#folder = join(storeDir, ...parts)
  }

  /** `null` when there is none, or something else stands in its place. */
  async read(name: string): Promise<Buffer | null> {
    try {
      const folder = await this.#inside()
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

  /** A store that cannot be written only goes without. */
  async write(name: string, bytes: Uint8Array): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true })
      await writeAtomically(join(await this.#inside(), basename(name)), bytes)
    } catch {
      // It is made again when it is asked for.
    }
  }

  async #inside(): Promise<string> {
    const [folder, store] = await Promise.all([realpath(this.#folder), realpath(this.#store)])
    if (folder.startsWith(store + sep)) return folder
    throw new Error(`${this.#folder} leads out of the store`)
  }
}
