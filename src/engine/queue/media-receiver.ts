/** The coordinator's side of media: says what its store lacks, and fetches that. */
import type { MediaStore } from '../../store/media.ts'
import type { MediaType } from '../../media/ref.ts'
import { type SharedState, chunksOf } from './shared-state.ts'
import { answerName, HAVE, SEND } from './media-sender.ts'

/** How long an answer holds. Media that are asked for and never come are asked for again. */
const HAVE_MS = 60 * 60 * 1000
const SEND_MS = 60 * 1000
/** More would be more memory. */
const FETCHED_AT_ONCE = 8

export interface SentMedia {
  sha256: string
  bytes: number
  mediaType: MediaType
}

export class MediaReceiver {
  readonly #run: string
  readonly #shared: SharedState
  readonly #media: MediaStore
  /** Asked for, and not yet here. */
  readonly #asked = new Set<string>()
  fetched = 0
  fetchedBytes = 0

  constructor(run: string, shared: SharedState, media: MediaStore) {
    this.#run = run
    this.#shared = shared
    this.#media = media
  }

  async offered(hashes: readonly string[]): Promise<void> {
    const there = await Promise.all(hashes.map((hash) => this.#media.has(hash)))
    hashes.forEach((hash, i) => there[i] || this.#asked.add(hash))
    await Promise.all(hashes.map((hash, i) => this.#answer(hash, there[i] ? HAVE : SEND)))
  }

  /** Fetches what workers have sent; what is damaged or gone on the way is sent again when it is missed. */
  async fetch(sent: readonly SentMedia[]): Promise<void> {
    for (let i = 0; i < sent.length; i += FETCHED_AT_ONCE) {
      const some = sent.slice(i, i + FETCHED_AT_ONCE)
      const there = await Promise.all(some.map((one) => this.#take(one)))
      // All at once: commands of one moment share a packet.
      await Promise.all(
        some.flatMap(({ sha256, bytes }, k) => [
          this.#shared.release(this.#run, sha256, chunksOf(bytes)),
          this.#answer(sha256, there[k] ? HAVE : SEND),
        ]),
      )
    }
  }

  /** Is it here now? */
  async #take({ sha256: hash, bytes, mediaType }: SentMedia): Promise<boolean> {
    if (!this.#asked.delete(hash) && (await this.#media.has(hash))) return true
    const numbers = Array.from({ length: chunksOf(bytes) }, (_, number) => number)
    const chunks = await Promise.all(numbers.map((number) => this.#shared.chunk(this.#run, hash, number)))
    const found = chunks.filter((chunk) => chunk !== null)
    if (found.length < chunks.length) return false
    const whole = found.length === 1 ? found[0]! : Buffer.concat(found)
    // It is kept under the hash that it has: what got damaged on the way is not what was asked for.
    const { sha256 } = await this.#media.keep(whole, mediaType)
    this.fetched += 1
    this.fetchedBytes += bytes
    return sha256 === hash
  }

  /** Those of an episode that are neither in the store nor on their way. */
  async lacking(hashes: readonly string[]): Promise<string[]> {
    const there = await Promise.all(hashes.map((hash) => this.#media.has(hash)))
    return hashes.filter((_, i) => !there[i])
  }

  /** Whoever believes that these are here must ask again. */
  async ask(hashes: readonly string[]): Promise<void> {
    await Promise.all(hashes.map((hash) => this.#answer(hash, SEND)))
  }

  #answer(hash: string, answer: typeof HAVE | typeof SEND): Promise<void> {
    return this.#shared.set(
      'media',
      answerName(this.#run, hash),
      Buffer.from(answer),
      answer === HAVE ? HAVE_MS : SEND_MS,
    )
  }
}
