/**
 * Columns of long runs, kept in the store between two starts of the server: reading 100,000 lines takes most of a
 * second, reading this a few milliseconds. Derived, so it can be deleted at any time.
 */
import { z } from 'zod'
import { DerivedFiles } from './derived.ts'
import type { Packed } from './http/packed.ts'

/** Raised whenever the same lines give other columns. */
const VERSION = 2
const NEWLINE = 0x0a
/** Shorter journals are read in a moment. */
export const WORTH_KEEPING_BYTES = 2 * 1024 * 1024

const headSchema = z.object({ version: z.literal(VERSION), stamp: z.string(), etag: z.string(), ms: z.number() })

export interface KeptColumns {
  packed: Packed
  /** Milliseconds of all episodes together. */
  ms: number
}

export class ColumnFile {
  readonly #files: DerivedFiles
  readonly #name: string

  constructor(storeDir: string, run: string) {
    this.#files = new DerivedFiles(storeDir, 'cache', 'columns')
    this.#name = run
  }

  /** `null` when there is none of just these lines. */
  async read(stamp: string): Promise<KeptColumns | null> {
    const bytes = await this.#files.read(this.#name)
    if (!bytes) return null
    try {
      const end = bytes.indexOf(NEWLINE)
      const head = headSchema.parse(JSON.parse(bytes.toString('utf8', 0, end)))
      if (head.stamp !== stamp) return null
      return { packed: { etag: head.etag, raw: null, gzip: bytes.subarray(end + 1) }, ms: head.ms }
    } catch {
      return null
    }
  }

  async write(stamp: string, { packed, ms }: KeptColumns): Promise<void> {
    if (!packed.gzip) return
    const head = JSON.stringify({ version: VERSION, stamp, etag: packed.etag, ms })
    await this.#files.write(this.#name, Buffer.concat([Buffer.from(`${head}\n`), packed.gzip]))
  }
}
