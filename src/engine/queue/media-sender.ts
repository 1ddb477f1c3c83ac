/**
 * Sends media from a worker to the coordinator. The worker offers hashes; only media missing from the store of the
 * coordinator is sent, in chunks, through the server of the queue. A quota limits the bytes in transit.
 */
import { open } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { MediaRef } from '../../media/ref.ts'
import { type SharedState, CHUNK_BYTES, chunksOf } from './shared-state.ts'
import type { Outbox } from './outbox.ts'

const MIN_POLL_MS = 10
const MAX_POLL_MS = 250
/** A sender that makes no progress for this long counts as dead. */
const CLAIM_MS = 30_000
/** Bounds memory and leaves network bandwidth to others. */
const MAX_PARALLEL_SENDS = 4
const MAX_REMEMBERED = 65_536

export interface MediaSenderSettings {
  run: string
  shared: SharedState
  outbox: Outbox
  quota: () => number
  /** Whether a coordinator is there to answer. */
  isCoordinated(): boolean
  pathOf: (sha256: string) => string
  signal: AbortSignal
}

export const HAVE = 'have'
export const SEND = 'send'

/** Key of the answer of the coordinator to an offer. */
export function answerName(run: string, sha256: string): string {
  return `${run}/${sha256}`
}

export class MediaSender {
  readonly #settings: MediaSenderSettings
  /** Media that the coordinator has, oldest first. */
  readonly #delivered = new Set<string>()
  readonly #deliveries = new Map<string, Promise<void>>()
  readonly #pendingOffers = new Map<string, (answer: typeof HAVE | typeof SEND) => void>()
  #offers: string[] = []
  #polling: Promise<void> | null = null
  #sending = 0
  readonly #waiting: (() => void)[] = []

  constructor(settings: MediaSenderSettings) {
    this.#settings = settings
  }

  /** Resolves when the coordinator has the media or can fetch it. Call it early, so it overlaps with the episode. */
  deliver(ref: MediaRef): Promise<void> {
    if (this.#delivered.has(ref.sha256)) return Promise.resolve()
    let delivery = this.#deliveries.get(ref.sha256)
    if (!delivery) {
      delivery = this.#deliver(ref)
        .then(() => this.#remember(ref.sha256))
        .finally(() => this.#deliveries.delete(ref.sha256))
      // A caller that still waits gets the error; without one it is not an unhandled rejection.
      delivery.catch(() => undefined)
      this.#deliveries.set(ref.sha256, delivery)
    }
    return delivery
  }

  /** Offers everything again, after the coordinator reported missing media. */
  forget(): void {
    this.#delivered.clear()
  }

  async #deliver(ref: MediaRef): Promise<void> {
    if ((await this.#ask(ref.sha256)) === HAVE) return
    await this.#acquireSend()
    try {
      await this.#send(ref)
    } finally {
      this.#sending -= 1
      this.#waiting.shift()?.()
    }
  }

  #ask(sha256: string): Promise<typeof HAVE | typeof SEND> {
    return new Promise((resolve, reject) => {
      const { signal } = this.#settings
      if (signal.aborted) {
        reject(signal.reason as Error)
        return
      }
      this.#pendingOffers.set(sha256, resolve)
      this.#offers.push(sha256)
      this.#polling ??= this.#poll().finally(() => {
        this.#polling = null
      })
      this.#polling.catch(reject)
    })
  }

  /** Sends new offers and polls for answers to all open ones. */
  async #poll(): Promise<void> {
    const { run, shared, outbox, signal } = this.#settings
    let wait = MIN_POLL_MS
    // Media stored in the same tick is offered together.
    await pause(0)
    while (this.#pendingOffers.size > 0) {
      signal.throwIfAborted()
      const newOffers = this.#offers
      this.#offers = []
      if (newOffers.length > 0) {
        wait = MIN_POLL_MS
        outbox.write({ type: 'offer', media: newOffers })
        await outbox.flush()
      }
      const names = [...this.#pendingOffers.keys()]
      const answers = await shared.get(
        'media',
        names.map((sha256) => answerName(run, sha256)),
      )
      for (const [i, sha256] of names.entries()) {
        const answer = answers[i]?.toString('latin1')
        if (answer === HAVE || answer === SEND) this.#answered(sha256, answer)
        // Without a coordinator, send it anyway; a duplicate is detected later.
        else if (!this.#settings.isCoordinated()) this.#answered(sha256, SEND)
      }
      if (this.#pendingOffers.size === 0) return
      await pause(wait)
      wait = Math.min(MAX_POLL_MS, wait * 2)
    }
  }

  #answered(sha256: string, answer: typeof HAVE | typeof SEND): void {
    this.#pendingOffers.get(sha256)?.(answer)
    this.#pendingOffers.delete(sha256)
  }

  async #send({ sha256, bytes, type }: MediaRef): Promise<void> {
    const { run, shared, outbox, quota, pathOf, signal } = this.#settings
    let wait = MIN_POLL_MS
    for (;;) {
      signal.throwIfAborted()
      const answer = await shared.reserve(run, sha256, bytes, quota(), CLAIM_MS)
      if (answer === 'go') break
      // Another worker sent it but may not have announced it yet; the coordinator must know the media before the episode.
      if (answer === 'there') {
        outbox.write({ type: 'sent', sha256, bytes, mediaType: type })
        return
      }
      await pause(wait)
      wait = Math.min(MAX_POLL_MS, wait * 2)
      const [known] = await shared.get('media', [answerName(run, sha256)])
      if (known?.toString('latin1') === HAVE) return
    }
    const file = await open(pathOf(sha256))
    try {
      for (let number = 0; number < chunksOf(bytes); number++) {
        const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, bytes - number * CHUNK_BYTES))
        const { bytesRead } = await file.read(chunk, 0, chunk.length, number * CHUNK_BYTES)
        if (bytesRead !== chunk.length) throw new Error(`${pathOf(sha256)} was truncated while it was being sent`)
        await shared.putChunk(run, sha256, number, chunk)
      }
    } finally {
      await file.close()
    }
    await shared.complete(run, sha256)
    outbox.write({ type: 'sent', sha256, bytes, mediaType: type })
    await outbox.flush()
  }

  async #acquireSend(): Promise<void> {
    this.#sending += 1
    if (this.#sending > MAX_PARALLEL_SENDS) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #remember(sha256: string): void {
    this.#delivered.add(sha256)
    if (this.#delivered.size <= MAX_REMEMBERED) return
    for (const oldest of this.#delivered) {
      this.#delivered.delete(oldest)
      return
    }
  }
}
