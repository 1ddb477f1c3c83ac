/**
 * Request bodies with many pictures. Adapters write a mark where Base64 belongs, and the marks are filled in after the
 * JSON is made: putting megabytes of Base64 through `JSON.stringify`, only to find that there is nothing to escape,
 * costs more than all the rest. Each picture is encoded once: a conversation sends its early ones again every turn.
 */
import { randomUUID } from 'node:crypto'
import { MissingAssetError, messageOf } from '../../base/errors.ts'
import { MEDIA_TYPES, type MediaRef } from '../../media/ref.ts'

/** Enough for the pictures of the conversations under way; more would only be memory. */
const DEFAULT_CAPACITY_BYTES = 32 * 2 ** 20

export class MediaBody {
  readonly #read: (ref: MediaRef) => Promise<Uint8Array>
  readonly #capacity: number
  /** Nobody outside knows it, so no text of a message can look like a mark. */
  readonly #prefix = `media-${randomUUID()}-`
  /** Base64 as bytes, in order of use, the longest unused first. */
  readonly #encoded = new Map<string, Buffer>()
  #bytes = 0

  constructor(read: (ref: MediaRef) => Promise<Uint8Array>, capacityBytes = DEFAULT_CAPACITY_BYTES) {
    this.#read = read
    this.#capacity = capacityBytes
  }

  /** Stands for the Base64 of a file in a JSON text. Needs no escaping. */
  mark({ sha256, bytes, type }: MediaRef): string {
    return `${this.#prefix}${sha256}.${bytes}.${MEDIA_TYPES.indexOf(type)}!`
  }

  /** The JSON with all marks filled in, as pieces to be sent one after the other: pictures are never copied. */
  async fill(json: string): Promise<Buffer[]> {
    const [start, ...rest] = json.split(this.#prefix)
    const chunks: Buffer[] = [Buffer.from(start!)]
    for (const piece of rest) {
      const end = piece.indexOf('!')
      const [sha256, bytes, type] = piece.slice(0, end).split('.')
      chunks.push(
        await this.#base64({ sha256: sha256!, bytes: Number(bytes), type: MEDIA_TYPES[Number(type)]! }),
        Buffer.from(piece.slice(end + 1)),
      )
    }
    return chunks
  }

  async #base64(ref: MediaRef): Promise<Buffer> {
    const known = this.#encoded.get(ref.sha256)
    if (known !== undefined) {
      this.#encoded.delete(ref.sha256)
      this.#encoded.set(ref.sha256, known)
      return known
    }
    const bytes = await this.#read(ref).catch((error: unknown) => {
      if (error instanceof MissingAssetError) throw error
      throw new MissingAssetError(`${ref.type} ${ref.sha256.slice(0, 12)}… could not be read: ${messageOf(error)}`)
    })
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
    const encoded = Buffer.from(text, 'latin1')
    this.#remember(ref.sha256, encoded)
    return encoded
  }

  #remember(name: string, encoded: Buffer): void {
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
