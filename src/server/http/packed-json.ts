/** JSON that is serialized and compressed once and sent many times. */
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { sha256 } from '../../base/hash.ts'

/** Smaller bodies are sent uncompressed. */
const MIN_GZIP_BYTES = 2048
/** Fast compression: the client usually runs on the same machine. */
const GZIP = { level: 1 }

/** The columns of a run may come from the store of somebody else. */
const GUNZIP = { maxOutputLength: 2 ** 29 }

const gzipAsync = promisify(gzip)
const gunzipAsync = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)

/** Either `raw` or `gzip` is set. */
export interface PackedJson {
  readonly etag: string
  readonly raw: Buffer | null
  /** `null` when the body is too small to compress. */
  readonly gzip: Buffer | null
}

export async function packJson(value: unknown): Promise<PackedJson> {
  const raw = Buffer.from(JSON.stringify(value))
  const compressed = raw.length < MIN_GZIP_BYTES ? null : await gzipAsync(raw, GZIP)
  return { etag: `"${sha256(compressed ?? raw).slice(0, 32)}"`, raw: compressed ? null : raw, gzip: compressed }
}

/** For clients that do not accept gzip. */
export async function unpackJson({ raw, gzip: compressed }: PackedJson): Promise<Buffer> {
  return raw ?? gunzipAsync(compressed ?? Buffer.alloc(0), GUNZIP)
}
