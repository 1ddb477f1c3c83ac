/** Receives media from workers: requests what is missing from the store, and fetches it. */
import type { MediaStore } from '../../store/media.ts'
import type { MediaType } from '../../media/ref.ts'
import { type SharedState, chunksOf } from './shared-state.ts'
import { answerName, HAVE, SEND } from './media-sender.ts'

/** Lifetimes of the answers. Media that was requested and never arrives is requested again. */
const HAVE_TTL_MS = 60 * 60 * 1000
const SEND_TTL_MS = 60 * 1000
/** Bounds memory. */
const MAX_PARALLEL_FETCHES = 8

export interface SentMedia {
  sha256: string
  bytes: number
  mediaType: MediaType
}

export class MediaReceiver {
  readonly #run: string
  readonly #shared: SharedState
  readonly #media: MediaStore
  /** Requested, but not received yet. */
  readonly #requested = new Set<string>()
  fetched = 0
  fetchedBytes = 0

  constructor(run: string, shared: SharedState, media: MediaStore) {
    this.#run = run
    this.#shared = shared
    this.#media = media
  }

  /** Tells workers which of the offered media to send. */
  async answerOffers(hashes: readonly string[]): Promise<void> {
    const present = await Promise.all(hashes.map((hash) => this.#media.has(hash)))
    hashes.forEach((hash, i) => present[i] || this.#requested.add(hash))
    await Promise.all(hashes.map((hash, i) => this.#answer(hash, present[i] ? HAVE : SEND)))
  }

  /** Fetches media that workers have sent; false for damaged or lost media. */
  async fetch(sent: readonly SentMedia[]): Promise<Map<string, boolean>> {
    const present = new Map<string, boolean>()
    for (let i = 0; i < sent.length; i += MAX_PARALLEL_FETCHES) {
      const batch = sent.slice(i, i + MAX_PARALLEL_FETCHES)
      await Promise.all(batch.map(async (each) => present.set(each.sha256, await this.#fetchOne(each))))
    }
    return present
  }

  /** Frees the space of media on the server. */
  async release(sent: readonly SentMedia[]): Promise<void> {
    await Promise.all(sent.map(({ sha256, bytes }) => this.#shared.release(this.#run, sha256, chunksOf(bytes))))
  }

  /** Tells workers what was fetched. Damaged or lost media is requested again. */
  async answer(fetched: ReadonlyMap<string, boolean>): Promise<void> {
    await Promise.all([...fetched].map(([hash, present]) => this.#answer(hash, present ? HAVE : SEND)))
  }

  /** Returns whether the media is in the store now. */
  async #fetchOne({ sha256: hash, bytes, mediaType }: SentMedia): Promise<boolean> {
    if (!this.#requested.delete(hash) && (await this.#media.has(hash))) return true
    const numbers = Array.from({ length: chunksOf(bytes) }, (_, number) => number)
    const chunks = await Promise.all(numbers.map((number) => this.#shared.chunk(this.#run, hash, number)))
    const found = chunks.filter((chunk) => chunk !== null)
    if (found.length < chunks.length) return false
    const complete = found.length === 1 ? found[0]! : Buffer.concat(found)
    // Stored under its actual hash, which differs if it was damaged in transit.
    const { sha256 } = await this.#media.keep(complete, mediaType)
    this.fetched += 1
    this.fetchedBytes += bytes
    return sha256 === hash
  }

  /** The media that is not in the store. */
  async missing(hashes: readonly string[]): Promise<string[]> {
    const present = await Promise.all(hashes.map((hash) => this.#media.has(hash)))
    return hashes.filter((_, i) => !present[i])
  }

  /** Invalidates earlier answers, so workers send these again. */
  async requestAgain(hashes: readonly string[]): Promise<void> {
    await Promise.all(hashes.map((hash) => this.#answer(hash, SEND)))
  }

  #answer(hash: string, answer: typeof HAVE | typeof SEND): Promise<void> {
    return this.#shared.set(
      'media',
      answerName(this.#run, hash),
      Buffer.from(answer),
      answer === HAVE ? HAVE_TTL_MS : SEND_TTL_MS,
    )
  }
}
