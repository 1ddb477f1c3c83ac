/** JSON that is written and compressed once, and sent many times. */
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { sha256 } from '../../base/hash.ts'

/** Not worth compressing below. */
const SMALL_BYTES = 2048
/** Quick: the other end is nearly always the same machine. */
const GZIP = { level: 1 }

const gzipped = promisify(gzip)
const gunzipped = promisify(gunzip)

/** At least one of the two is there. */
export interface Packed {
  readonly etag: string
  readonly raw: Buffer | null
  /** `null` when it is too small to be worth it. */
  readonly gzip: Buffer | null
}

export async function pack(value: unknown): Promise<Packed> {
  const raw = Buffer.from(JSON.stringify(value))
  const compressed = raw.length < SMALL_BYTES ? null : await gzipped(raw, GZIP)
  return { etag: `"${sha256(compressed ?? raw).slice(0, 32)}"`, raw: compressed ? null : raw, gzip: compressed }
}

/** For whoever cannot read it compressed. */
export async function unpacked({ raw, gzip: compressed }: Packed): Promise<Buffer> {
  return raw ?? gunzipped(compressed ?? Buffer.alloc(0))
}
