/**
 * Request bodies with media. Adapters write placeholders that are replaced with Base64 after the JSON is serialized,
 * because escaping megabytes of Base64 in `JSON.stringify` would dominate the cost of a request. Each file is encoded
 * once, since a conversation sends its earlier images again every turn.
 */
import { randomUUID } from 'node:crypto'
import { MissingAssetError, messageOf } from '../../base/errors.ts'
import { MEDIA_TYPES, type MediaRef } from '../../media/ref.ts'
import { bodyOf, type RequestBody } from './transport.ts'

/** Enough for the images of all conversations in flight. */
const DEFAULT_CAPACITY_BYTES = 32 * 2 ** 20

export class MediaBody {
  readonly #read: (ref: MediaRef) => Promise<Uint8Array>
  readonly #capacity: number
  /** Of a placeholder. Random, so no message text can look like one. */
  readonly prefix = `media-${randomUUID()}-`
  /** LRU cache of Base64 as bytes, least recently used first. */
  readonly #encoded = new Map<string, Buffer>()
  #bytes = 0

  constructor(read: (ref: MediaRef) => Promise<Uint8Array>, capacityBytes = DEFAULT_CAPACITY_BYTES) {
    this.#read = read
    this.#capacity = capacityBytes
  }

  /** A placeholder for the Base64 of a file in JSON text. Needs no escaping. */
  placeholder({ sha256, bytes, type }: MediaRef): string {
    return `${this.prefix}${sha256}.${bytes}.${MEDIA_TYPES.indexOf(type)}!`
  }

  /** The file that a text has a placeholder of. */
  refIn(text: string): MediaRef | null {
    const start = text.indexOf(this.prefix)
    if (start < 0) return null
    return refOf(text.slice(start + this.prefix.length, text.indexOf('!', start)))
  }

  /** The JSON with all placeholders replaced. Files are read when their turn comes. */
  fill(json: string, prefix = this.prefix): RequestBody {
    const [start, ...rest] = json.split(prefix)
    const text = Buffer.from(start!)
    if (rest.length === 0) return bodyOf(text)
    const parts = rest.map((piece) => {
      const end = piece.indexOf('!')
      return { ref: refOf(piece.slice(0, end)), after: Buffer.from(piece.slice(end + 1)) }
    })
    const base64 = (ref: MediaRef): Promise<Buffer> => this.#base64(ref)
    return {
      length: parts.reduce((sum, { ref, after }) => sum + Math.ceil(ref.bytes / 3) * 4 + after.length, text.length),
      async *pieces() {
        yield text
        for (const { ref, after } of parts) {
          yield await base64(ref)
          yield after
        }
      },
    }
  }

  async #base64(ref: MediaRef): Promise<Buffer> {
    const cached = this.#encoded.get(ref.sha256)
    if (cached !== undefined) {
      this.#encoded.delete(ref.sha256)
      this.#encoded.set(ref.sha256, cached)
      return cached
    }
    const bytes = await this.#read(ref).catch((error: unknown) => {
      if (error instanceof MissingAssetError) throw error
      throw new MissingAssetError(`Cannot read ${ref.type} file ${ref.sha256.slice(0, 12)}…: ${messageOf(error)}`)
    })
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
    const encoded = Buffer.from(text, 'latin1')
    this.#cache(ref.sha256, encoded)
    return encoded
  }

  #cache(name: string, encoded: Buffer): void {
    if (encoded.length > this.#capacity || this.#encoded.has(name)) return
    this.#encoded.set(name, encoded)
    this.#bytes += encoded.length
    for (const [oldest, { length }] of this.#encoded) {
      if (this.#bytes <= this.#capacity) break
      this.#encoded.delete(oldest)
      this.#bytes -= length
    }
  }
}

function refOf(placeholder: string): MediaRef {
  const [sha256, bytes, type] = placeholder.split('.')
  return { sha256: sha256!, bytes: Number(bytes), type: MEDIA_TYPES[Number(type)]! }
}
