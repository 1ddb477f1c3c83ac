/** JSON that is written and compressed once, and sent many times. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { sha256 } from '../base/hash.ts'

/** Not worth compressing below. */
const SMALL_BYTES = 2048
/** Quick: the other end is nearly always the same machine. */
const GZIP = { level: 1 }

const gzipped = promisify(gzip)

export interface Packed<T> {
  readonly value: T
  readonly etag: string
  readonly raw: Buffer
  /** `null` when it is too small to be worth it. */
  readonly gzip: Buffer | null
}

export async function pack<T>(value: T): Promise<Packed<T>> {
  const raw = Buffer.from(JSON.stringify(value))
  const compressed = raw.length < SMALL_BYTES ? null : await gzipped(raw, GZIP)
  return { value, etag: `"${sha256(compressed ?? raw).slice(0, 32)}"`, raw, gzip: compressed }
}
