/**
 * Media on their way from a worker to the coordinator. The worker names what it has; only what the coordinator's store
 * lacks is sent, in chunks, through the queue's server. There is room for so much at once: who finds none waits.
 */
import { open } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { MediaRef } from '../../media/ref.ts'
import { type SharedState, CHUNK_BYTES, chunksOf } from './shared-state.ts'
import type { Outbox } from './outbox.ts'

const FIRST_LOOK_MS = 10
const MAX_LOOK_MS = 250
/** Someone who sends and says nothing for so long is dead. */
const CLAIM_MS = 30_000
/** Sent at once by one worker: bounds its memory and leaves the network to others. */
const SENT_AT_ONCE = 4
const REMEMBERED = 65_536

export interface MediaSenderSettings {
  run: string
  shared: SharedState
  outbox: Outbox
  quota: () => number
  /** Is there a coordinator that could answer? */
  isCoordinated(): boolean
  pathOf: (sha256: string) => string
  signal: AbortSignal
}

export const HAVE = 'have'
export const SEND = 'send'

/** Name of the coordinator's answer about media. */
export function answerName(run: string, sha256: string): string {
  return `${run}/${sha256}`
}

export class MediaSender {
  readonly #settings: MediaSenderSettings
  /** Delivered or known to be there, oldest first. */
  readonly #delivered = new Set<string>()
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #unanswered = new Map<string, (answer: typeof HAVE | typeof SEND) => void>()
  #offers: string[] = []
  #looking: Promise<void> | null = null
  #sending = 0
  readonly #queue: (() => void)[] = []

  constructor(settings: MediaSenderSettings) {
    this.#settings = settings
  }

  /** Resolves when the coordinator has these media or can fetch them. Begin early: it goes on beside the episode. */
  deliver(ref: MediaRef): Promise<void> {
    if (this.#delivered.has(ref.sha256)) return Promise.resolve()
    let delivery = this.#underWay.get(ref.sha256)
    if (!delivery) {
      delivery = this.#deliver(ref)
        .then(() => this.#remember(ref.sha256))
        .finally(() => this.#underWay.delete(ref.sha256))
      // Who waits for it hears of a failure; who has been stopped meanwhile does not.
      delivery.catch(() => undefined)
      this.#underWay.set(ref.sha256, delivery)
    }
    return delivery
  }

  /** After the coordinator found that it lacks something after all. */
  forget(): void {
    this.#delivered.clear()
  }

  async #deliver(ref: MediaRef): Promise<void> {
    if ((await this.#ask(ref.sha256)) === HAVE) return
    await this.#enter()
    try {
      await this.#send(ref)
    } finally {
      this.#sending -= 1
      this.#queue.shift()?.()
    }
  }

  #ask(sha256: string): Promise<typeof HAVE | typeof SEND> {
    return new Promise((resolve, reject) => {
      const { signal } = this.#settings
      if (signal.aborted) {
        reject(signal.reason as Error)
        return
      }
      this.#unanswered.set(sha256, resolve)
      this.#offers.push(sha256)
      this.#looking ??= this.#look().finally(() => {
        this.#looking = null
      })
      this.#looking.catch(reject)
    })
  }

  /** Names what is new, and looks for answers to everything that was named. */
  async #look(): Promise<void> {
    const { run, shared, outbox, signal } = this.#settings
    let wait = FIRST_LOOK_MS
    // Others that are kept in the same moment are named together with this one.
    await pause(0)
    while (this.#unanswered.size > 0) {
      signal.throwIfAborted()
      const fresh = this.#offers
      this.#offers = []
      if (fresh.length > 0) {
        wait = FIRST_LOOK_MS
        outbox.write({ type: 'offer', media: fresh })
        await outbox.flush()
      }
      const names = [...this.#unanswered.keys()]
      const answers = await shared.get(
        'media',
        names.map((sha256) => answerName(run, sha256)),
      )
      for (const [i, sha256] of names.entries()) {
        const answer = answers[i]?.toString('latin1')
        if (answer === HAVE || answer === SEND) this.#answered(sha256, answer)
        // Nobody is there to say: it may go into the depot, and be found to be known later.
        else if (!this.#settings.isCoordinated()) this.#answered(sha256, SEND)
      }
      if (this.#unanswered.size === 0) return
      await pause(wait)
      wait = Math.min(MAX_LOOK_MS, wait * 2)
    }
  }

  #answered(sha256: string, answer: typeof HAVE | typeof SEND): void {
    this.#unanswered.get(sha256)?.(answer)
    this.#unanswered.delete(sha256)
  }

  async #send({ sha256, bytes, type }: MediaRef): Promise<void> {
    const { run, shared, outbox, quota, pathOf, signal } = this.#settings
    let wait = FIRST_LOOK_MS
    for (;;) {
      signal.throwIfAborted()
      const answer = await shared.reserve(run, sha256, bytes, quota(), CLAIM_MS)
      if (answer === 'go') break
      // Whoever sent it may not have said so yet, and this episode must not be known before its media.
      if (answer === 'there') {
        outbox.write({ type: 'sent', sha256, bytes, mediaType: type })
        return
      }
      await pause(wait)
      wait = Math.min(MAX_LOOK_MS, wait * 2)
      const [known] = await shared.get('media', [answerName(run, sha256)])
      if (known?.toString('latin1') === HAVE) return
    }
    const file = await open(pathOf(sha256))
    try {
      for (let number = 0; number < chunksOf(bytes); number++) {
        const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, bytes - number * CHUNK_BYTES))
        const { bytesRead } = await file.read(chunk, 0, chunk.length, number * CHUNK_BYTES)
        if (bytesRead !== chunk.length) throw new Error(`${pathOf(sha256)} was cut short while it was sent`)
        await shared.putChunk(run, sha256, number, chunk)
      }
    } finally {
      await file.close()
    }
    await shared.complete(run, sha256)
    outbox.write({ type: 'sent', sha256, bytes, mediaType: type })
    await outbox.flush()
  }

  async #enter(): Promise<void> {
    this.#sending += 1
    if (this.#sending > SENT_AT_ONCE) await new Promise<void>((resolve) => this.#queue.push(resolve))
  }

  #remember(sha256: string): void {
    this.#delivered.add(sha256)
    if (this.#delivered.size <= REMEMBERED) return
    for (const oldest of this.#delivered) {
      this.#delivered.delete(oldest)
      return
    }
  }
}
