/** A file that only grows, and never has half a record in its middle. */
import type { FileHandle } from 'node:fs/promises'
import { UserError } from '../base/errors.ts'
import { toDiskError, withDiskErrors } from './disk.ts'

/** The part of a file handle that a log needs. */
export type LogFile = Pick<FileHandle, 'write' | 'datasync' | 'truncate' | 'stat' | 'close'>

/**
 * Appends bytes and syncs them. When a write fails part of the way (a full disk), the file is cut back to what was
 * there before; if even that fails, it is tried again before the next write. So whatever was synced stays, and what
 * comes later never follows half a record.
 */
export class AppendLog {
  readonly path: string
  readonly #file: LogFile
  #size: number
  /** There may be bytes after `#size` that were never synced. */
  #hasLeftovers = false

  constructor(path: string, file: LogFile, size: number) {
    this.path = path
    this.#file = file
    this.#size = size
  }

  /** Bytes that are known to be on disk. */
  get size(): number {
    return this.#size
  }

  /** Whole records that were never acknowledged may still stand at the end of the file. */
  get hasLeftovers(): boolean {
    return this.#hasLeftovers
  }

  async append(bytes: Uint8Array): Promise<void> {
    const start = this.#size
    // Outside of what is cut back on failure: what someone else wrote is not ours to remove.
    await this.#check()
    try {
      this.#hasLeftovers = true
      let written = 0
      while (written < bytes.length) {
        const { bytesWritten } = await this.#file.write(bytes, written, bytes.length - written, start + written)
        written += bytesWritten
      }
      await this.#file.datasync()
      this.#size = start + bytes.length
      this.#hasLeftovers = false
    } catch (error) {
      await this.truncateTo(start)
      throw toDiskError(error, this.path)
    }
  }

  /** Takes back what was appended after `size`: the record that would have pointed to it did not make it. */
  async truncateTo(size: number): Promise<void> {
    this.#size = size
    this.#hasLeftovers = true
    await this.#removeLeftovers().catch(() => {
      // Tried again, and reported, before the next write.
    })
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  async #removeLeftovers(): Promise<void> {
    await this.#file.truncate(this.#size)
    this.#hasLeftovers = false
  }

  /** An open file can be written long after someone deleted or edited it: better to stop than to write into the void. */
  async #check(): Promise<void> {
    const { nlink, size } = await withDiskErrors(this.path, async () => {
      if (this.#hasLeftovers) await this.#removeLeftovers()
      return this.#file.stat()
    })
    if (nlink === 0) {
      throw new UserError(`${this.path} was deleted or replaced while the run was being written.`, {
        hint: 'Stop the run; bring the folder back from a copy and resume it, or start a new run.',
      })
    }
    if (size !== this.#size) {
      throw new UserError(
        `${this.path} was changed by something else while the run was being written: ` +
          `it has ${size} bytes instead of ${this.#size}.`,
        { hint: 'Stop the run and resume it, so that the file is read again.' },
      )
    }
  }
}
