/** Messages and jobs on a queue that cannot be used. They are set aside in a file of the run, and the run continues. */
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { plural } from '../../base/plural.ts'

export const DEAD_LETTERS_FILE = 'dead-letters.jsonl'

/** Somebody who floods the queue must not fill the disk. */
const MAX_KEPT = 1000
const MAX_BYTES_SHOWN = 2048

export class DeadLetters {
  readonly #path: string
  readonly #note: (text: string) => void
  #count = 0

  constructor(runFolder: string, note: (text: string) => void) {
    this.#path = join(runFolder, DEAD_LETTERS_FILE)
    this.#note = note
  }

  async add(reason: string, body: Buffer): Promise<void> {
    this.#count += 1
    if (this.#count === 1) this.#note(`Ignored something on the queue: ${reason}. It is kept in ${this.#path}.`)
    if (this.#count > MAX_KEPT) return
    const start = body.subarray(0, MAX_BYTES_SHOWN).toString('latin1')
    const line = JSON.stringify({ at: new Date().toISOString(), reason, bytes: body.length, start })
    await appendFile(this.#path, `${line}\n`).catch(() => undefined)
  }

  /** At the end of the run. */
  summarize(): void {
    if (this.#count > 1) this.#note(`Ignored ${plural(this.#count, 'message')} on the queue; see ${this.#path}.`)
  }
}
