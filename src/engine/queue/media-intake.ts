/** The coordinator's side of media: says what its store lacks, and fetches that. */
import type { MediaStore } from '../../store/media.ts'
import type { MediaType } from '../../media/ref.ts'
import { type Board, chunksOf } from './board.ts'
import { answerName, HAVE, SEND } from './media-outlet.ts'

/** How long an answer holds. Media that are asked for and never come are asked for again. */
const HAVE_MS = 60 * 60 * 1000
const SEND_MS = 60 * 1000

export class MediaIntake {
  readonly #run: string
  readonly #board: Board
  readonly #media: MediaStore
  /** Asked for, and not yet here. */
  readonly #asked = new Set<string>()
  fetched = 0
  fetchedBytes = 0

  constructor(run: string, board: Board, media: MediaStore) {
    this.#run = run
    this.#board = board
    this.#media = media
  }

  async offered(hashes: readonly string[]): Promise<void> {
    await Promise.all(
      hashes.map(async (hash) => {
        const isThere = await this.#media.has(hash)
        if (!isThere) this.#asked.add(hash)
        await this.#answer(hash, isThere ? HAVE : SEND)
      }),
    )
  }

  /** Fetches what a worker has sent; what is damaged or gone on the way is sent again when it is missed. */
  async fetch(hash: string, bytes: number, type: MediaType): Promise<void> {
    let isThere = !this.#asked.delete(hash) && (await this.#media.has(hash))
    if (!isThere) {
      const numbers = Array.from({ length: chunksOf(bytes) }, (_, number) => number)
      const chunks = await Promise.all(numbers.map((number) => this.#board.chunk(this.#run, hash, number)))
      const found = chunks.filter((chunk) => chunk !== null)
      const whole = found.length === 1 ? found[0]! : Buffer.concat(found)
      if (found.length === chunks.length) {
        // It is kept under the hash that it has: what got damaged on the way is not what was asked for.
        const { sha256 } = await this.#media.keep(whole, type)
        isThere = sha256 === hash
        this.fetched += 1
        this.fetchedBytes += bytes
      }
    }
    await Promise.all([
      this.#board.release(this.#run, hash, chunksOf(bytes)),
      this.#answer(hash, isThere ? HAVE : SEND),
    ])
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
    return this.#board.set(
      'media',
      answerName(this.#run, hash),
      Buffer.from(answer),
      answer === HAVE ? HAVE_MS : SEND_MS,
    )
  }
}
