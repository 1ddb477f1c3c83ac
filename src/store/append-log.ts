/** An append-only file that never has a partial record in its middle. */
import { fstatSync, type Stats, writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { UserError } from '../base/errors.ts'
import { MAX_QUICK_BYTES, quickly } from '../base/quick-disk.ts'
import { toDiskError, withDiskErrors } from './disk.ts'

/** Opens a log for writing, cut to the bytes that are known to be complete. Created if it is missing. */
export function openLog(path: string, size: number): Promise<AppendLog> {
  return withDiskErrors(path, async () => {
    // Mode 'a' ignores positions and 'r+' needs an existing file, so create it first.
    await (await open(path, 'a')).close()
    const file = await open(path, 'r+')
    await file.truncate(size)
    await file.datasync()
    return new AppendLog(path, logFile(file), size)
  })
}

/** What a log does with its file. */
export interface LogFile extends Pick<FileHandle, 'datasync' | 'truncate' | 'close'> {
  stat(): Promise<Stats>
  /** Writes some of the bytes from `offset` on, and returns how many. */
  write(bytes: Uint8Array, offset: number, position: number): Promise<number>
}

/** Only the sync, which waits for the disk, goes over the thread pool if there is little to write. */
function logFile(file: FileHandle): LogFile {
  return {
    stat: async () => quickly(() => fstatSync(file.fd)) ?? file.stat(),
    write: async (bytes, offset, position) => {
      const rest = bytes.length - offset
      const written =
        rest > MAX_QUICK_BYTES ? undefined : quickly(() => writeSync(file.fd, bytes, offset, rest, position))
      return written ?? (await file.write(bytes, offset, rest, position)).bytesWritten
    },
    datasync: () => file.datasync(),
    truncate: (length) => file.truncate(length),
    close: () => file.close(),
  }
}

/**
 * Appends bytes and syncs them. If a write fails (a full disk, for example), the file is truncated to its previous size;
 * if that fails too, it is retried before the next write. Synced data stays, and never follows a partial record.
 */
export class AppendLog {
  readonly path: string
  readonly #file: LogFile
  #size: number
  /** Whether the file may have unsynced bytes after `#size`. */
  #hasLeftovers = false

  constructor(path: string, file: LogFile, size: number) {
    this.path = path
    this.#file = file
    this.#size = size
  }

  /** Bytes known to be on disk. */
  get size(): number {
    return this.#size
  }

  /** Whether complete records that were never acknowledged may be at the end of the file. */
  get hasLeftovers(): boolean {
    return this.#hasLeftovers
  }

  /** When the file was last written, in milliseconds. */
  async modified(): Promise<number> {
    return (await withDiskErrors(this.path, () => this.#file.stat())).mtimeMs
  }

  async append(bytes: Uint8Array): Promise<void> {
    const start = this.#size
    // Before the try block, so bytes written by another process are not truncated on failure.
    await this.#check()
    try {
      this.#hasLeftovers = true
      let written = 0
      while (written < bytes.length) {
        written += await this.#file.write(bytes, written, start + written)
      }
      await this.#file.datasync()
      this.#size = start + bytes.length
      this.#hasLeftovers = false
    } catch (error) {
      await this.truncateTo(start)
      throw toDiskError(error, this.path)
    }
  }

  /** Removes everything after `size`, because the record that points to it could not be written. */
  async truncateTo(size: number): Promise<void> {
    this.#size = size
    this.#hasLeftovers = true
    await this.#removeLeftovers().catch(() => {
      // Retried, and reported, before the next write.
    })
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  async #removeLeftovers(): Promise<void> {
    await this.#file.truncate(this.#size)
    this.#hasLeftovers = false
  }

  /** Detects that the file was deleted or edited, because writing to an open handle would still succeed. */
  async #check(): Promise<void> {
    const { nlink, size } = await withDiskErrors(this.path, async () => {
      if (this.#hasLeftovers) await this.#removeLeftovers()
      return this.#file.stat()
    })
    if (nlink === 0) {
      throw new UserError(`${this.path} was deleted or replaced while the run was being written.`, {
        hint: 'Stop the run, restore the folder from a backup and resume it, or start a new run.',
      })
    }
    if (size !== this.#size) {
      throw new UserError(
        `${this.path} was modified by another program while the run was being written: ` +
          `it has ${size} bytes instead of ${this.#size}.`,
        { hint: 'Stop the run and resume it to read the file again.' },
      )
    }
  }
}
