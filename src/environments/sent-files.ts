/** Files that a client sends in an episode: instruments read them from a folder, which is gone when the episode is over. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '../base/hash.ts'
import type { GeneratedMedia } from '../engine/suite.ts'
import type { MediaRef } from '../media/ref.ts'

export class SentFiles {
  #folder: string | null = null
  /** What is being written. */
  #writing: Promise<unknown> = Promise.resolve()

  keep(media: GeneratedMedia): Promise<MediaRef> {
    const work = this.#write(media)
    this.#writing = work.catch(() => {})
    return work
  }

  pathOf({ sha256: hash }: MediaRef): string {
    if (this.#folder === null) throw new Error(`${hash} was not sent in this episode`)
    return join(this.#folder, hash)
  }

  async remove(): Promise<void> {
    await this.#writing
    const folder = this.#folder
    // One that cannot be removed is left to the system, which empties the folder that it is in.
    if (folder !== null) await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  }

  async #write({ bytes, type }: GeneratedMedia): Promise<MediaRef> {
    this.#folder ??= await mkdtemp(join(tmpdir(), 'sightline-sent-'))
    const ref = { sha256: sha256(bytes), type, bytes: bytes.length }
    await writeFile(this.pathOf(ref), bytes)
    return ref
  }
}
