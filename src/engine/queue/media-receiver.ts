/** Receives media from workers: requests what is missing from the store, and fetches it. */
import type { MediaStore } from '../../store/media.ts'
import type { MediaType } from '../../media/ref.ts'
import { type SharedState, chunksOf } from './shared-state.ts'
import { answerName, HAVE, SEND } from './media-sender.ts'

/** Lifetimes of the answers. Media that was requested and never arrives is requested again. */
const HAVE_TTL_MS = 60 * 60 * 1000
const SEND_TTL_MS = 60 * 1000
/** Bounds memory: a chunk is half a megabyte at most. */
const MEDIA_PER_FETCH = 8
const CHUNKS_PER_READ = 16

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
    const present = new Map(await Promise.all(hashes.map(async (hash) => [hash, await this.#media.has(hash)] as const)))
    for (const [hash, isPresent] of present) if (!isPresent) this.#requested.add(hash)
    await this.answer(present)
  }

  /** Fetches media that workers have sent; false for damaged or lost media. */
  async fetch(sent: readonly SentMedia[]): Promise<Map<string, boolean>> {
    const present = new Map<string, boolean>()
    const unique = [...new Map(sent.map((each) => [each.sha256, each])).values()]
    for (let i = 0; i < unique.length; i += MEDIA_PER_FETCH) {
      const absent: SentMedia[] = []
      for (const each of unique.slice(i, i + MEDIA_PER_FETCH)) {
        const hash = each.sha256
        if (!this.#requested.delete(hash) && (await this.#media.has(hash))) present.set(hash, true)
        else absent.push(each)
      }
      const chunks = await this.#chunksOf(absent)
      const kept = await Promise.all(absent.map((each) => this.#keep(each, chunks.get(each.sha256))))
      absent.forEach(({ sha256 }, at) => present.set(sha256, kept[at]!))
    }
    return present
  }

  /** Frees the space of media on the server. */
  async release(sent: readonly SentMedia[]): Promise<void> {
    await this.#shared.release(this.#run, sent)
  }

  /** Tells workers what was fetched. Damaged or lost media is requested again. */
  async answer(fetched: ReadonlyMap<string, boolean>): Promise<void> {
    const hashes = [...fetched.keys()]
    await Promise.all([
      this.#say(
        HAVE,
        hashes.filter((hash) => fetched.get(hash)),
      ),
      this.#say(
        SEND,
        hashes.filter((hash) => !fetched.get(hash)),
      ),
    ])
  }

  /** The chunks of media by hash, without those of which some are lost. */
  async #chunksOf(media: readonly SentMedia[]): Promise<Map<string, Buffer[]>> {
    const found = new Map<string, Buffer[]>(media.map(({ sha256 }) => [sha256, []]))
    const wanted = media.flatMap(({ sha256, bytes }) =>
      Array.from({ length: chunksOf(bytes) }, (_, number) => ({ sha256, number })),
    )
    for (let i = 0; i < wanted.length; i += CHUNKS_PER_READ) {
      const some = wanted.slice(i, i + CHUNKS_PER_READ).filter(({ sha256 }) => found.has(sha256))
      const chunks = await this.#shared.chunks(this.#run, some)
      for (const [at, { sha256 }] of some.entries()) {
        const chunk = chunks[at]
        if (chunk) found.get(sha256)?.push(chunk)
        else found.delete(sha256)
      }
    }
    return found
  }

  /** Returns whether the media is in the store now. */
  async #keep({ sha256: hash, bytes, mediaType }: SentMedia, chunks: readonly Buffer[] | undefined): Promise<boolean> {
    if (!chunks) return false
    const complete = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
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
    await this.#say(SEND, hashes)
  }

  #say(answer: typeof HAVE | typeof SEND, hashes: readonly string[]): Promise<void> {
    const values = new Map(hashes.map((hash) => [answerName(this.#run, hash), Buffer.from(answer)]))
    return this.#shared.set('media', values, answer === HAVE ? HAVE_TTL_MS : SEND_TTL_MS)
  }
}
