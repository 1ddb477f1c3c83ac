/**
 * Signs what the processes of a run put on a queue, so that nothing else on the server counts as theirs. The secret is in
 * the environment of the coordinator and the workers, never on the server. Without one, a seal still tells messages of
 * this run and version from everything else, but anybody can make it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export const TAG_BYTES = 32
/** Raised when the format of signed data changes. */
const FORMAT = 1

export class Seal {
  readonly #key: Buffer

  constructor(secret: string, run: string) {
    this.#key = createHmac('sha256', secret).update(`sightline queue ${FORMAT} ${run}`).digest()
  }

  /** @param what kind and name, so that signed data cannot be moved elsewhere */
  close(what: string, body: Uint8Array): Buffer {
    return Buffer.concat([this.#tag(what, body), body])
  }

  /** The body; null if it was not signed by a process of this run. */
  open(what: string, sealed: Buffer): Buffer | null {
    if (sealed.length < TAG_BYTES) return null
    const body = sealed.subarray(TAG_BYTES)
    return timingSafeEqual(sealed.subarray(0, TAG_BYTES), this.#tag(what, body)) ? body : null
  }

  #tag(what: string, body: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(`${what}\n`).update(body).digest()
  }
}
