/** Media as Base64, made once per picture: a conversation sends its early pictures again with every turn. */
import { MissingAssetError, messageOf } from '../base/errors.ts'
import type { MediaRef } from '../media/ref.ts'

/** Enough for the pictures of the conversations under way; more would only be memory. */
const DEFAULT_CAPACITY_BYTES = 32 * 2 ** 20

export class EncodedMedia {
  readonly #read: (ref: MediaRef) => Promise<Uint8Array>
  readonly #capacity: number
  /** In order of use, the longest unused first. */
  readonly #entries = new Map<string, string>()
  #bytes = 0

  constructor(read: (ref: MediaRef) => Promise<Uint8Array>, capacityBytes = DEFAULT_CAPACITY_BYTES) {
    this.#read = read
    this.#capacity = capacityBytes
  }

  async base64(ref: MediaRef): Promise<string> {
    const known = this.#entries.get(ref.sha256)
    if (known !== undefined) {
      this.#entries.delete(ref.sha256)
      this.#entries.set(ref.sha256, known)
      return known
    }
    const bytes = await this.#read(ref).catch((error: unknown) => {
      if (error instanceof MissingAssetError) throw error
      throw new MissingAssetError(`${ref.type} ${ref.sha256.slice(0, 12)}… could not be read: ${messageOf(error)}`)
    })
    const encoded = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
    this.#remember(ref.sha256, encoded)
    return encoded
  }

  #remember(name: string, encoded: string): void {
    if (encoded.length > this.#capacity || this.#entries.has(name)) return
    this.#entries.set(name, encoded)
    this.#bytes += encoded.length
    for (const [oldest, text] of this.#entries) {
      if (this.#bytes <= this.#capacity) break
      this.#entries.delete(oldest)
      this.#bytes -= text.length
    }
  }
}
