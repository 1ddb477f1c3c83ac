/**
 * Caches the columns of long runs in the store: reading 100,000 lines takes most of a second, reading this file a few
 * milliseconds. Safe to delete at any time.
 */
import { z } from 'zod'
import { DerivedFiles } from './derived.ts'
import type { PackedJson } from './http/packed-json.ts'

/** Bump when the same lines produce different columns. */
const VERSION = 3
const NEWLINE = 0x0a
/** Shorter journals are fast to read. */
export const MIN_CACHED_JOURNAL_BYTES = 2 * 1024 * 1024

const headSchema = z.object({ version: z.literal(VERSION), stamp: z.string(), etag: z.string(), ms: z.number() })

export interface CachedColumns {
  packed: PackedJson
  /** Total duration of all episodes. */
  ms: number
}

export class ColumnCache {
  readonly #files: DerivedFiles
  readonly #name: string

  constructor(storeDir: string, run: string) {
    this.#files = new DerivedFiles(storeDir, 'cache', 'columns')
    this.#name = run
  }

  /** `null` when nothing is cached for this stamp. */
  async read(stamp: string): Promise<CachedColumns | null> {
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

  async write(stamp: string, { packed, ms }: CachedColumns): Promise<void> {
    if (!packed.gzip) return
    const head = JSON.stringify({ version: VERSION, stamp, etag: packed.etag, ms })
    await this.#files.write(this.#name, Buffer.concat([Buffer.from(`${head}\n`), packed.gzip]))
  }
}
