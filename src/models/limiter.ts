/**
 * How many requests may be under way: grows while the server keeps up, is cut when it says that it does not.
 *
 * - A round is as many successes as the limit is. In slow start the limit doubles after every round, until the first
 *   cut; after that it grows by one a round.
 * - A cut halves. One cut per incident: requests that were already under way when the limit was cut tell nothing new.
 * - A server that names a time to wait holds everybody back until then.
 *
 * Waiting is first come, first served; a retry keeps the place of its first attempt.
 */
import { type Clock, reasonOf } from './clock.ts'

export interface LimiterSettings {
  /** A fixed limit; leaves out all growth and cuts. */
  fixed?: number
  /** Where slow start begins. */
  start: number
  /** The adaptive limit never grows beyond this. */
  max: number
  /** Bytes of requests that may be under way together; a larger one travels alone. */
  maxBytes: number
}

export const ADAPTIVE_START = 4
export const DEFAULT_MAX_BYTES = 64 * 2 ** 20
/** The share of the limit that must have been under way at once before it may grow: episodes also think and draw. */
const USED_SHARE = 0.75

export type Outcome = 'ok' | 'overload' | 'neutral'

/** The right to have one request under way. */
export interface Lease {
  /** Gives it back; `overload` when the server said that there are too many, with the time it asked us to wait. */
  release(outcome: Outcome, retryAfterMs?: number): void
}

interface Waiter {
  ticket: number
  bytes: number
  resolve(lease: Lease): void
}

export class Limiter {
  readonly #settings: LimiterSettings
  readonly #clock: Clock
  readonly #onCut: (limit: number) => void
  readonly #waiting: Waiter[] = []
  readonly #closed = new AbortController()
  #limit: number
  #inFlight = 0
  #bytes = 0
  #slowStart = true
  /** Successes in this round, and the most that were under way in it. */
  #successes = 0
  #peak = 0
  #cuts = 0
  #pausedUntil = 0
  #waking = false
  #nextTicket = 0

  constructor(settings: LimiterSettings, clock: Clock, onCut: (limit: number) => void = () => {}) {
    this.#settings = settings
    this.#clock = clock
    this.#onCut = onCut
    this.#limit = settings.fixed ?? Math.min(settings.start, settings.max)
  }

  /** The present limit. */
  get limit(): number {
    return this.#limit
  }

  /** How often the limit was cut. */
  get cuts(): number {
    return this.#cuts
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** A place in the queue, to be kept over all attempts of a request. */
  ticket(): number {
    return this.#nextTicket++
  }

  /** Waits for a free connection; throws the signal's reason as soon as it is aborted. */
  acquire(ticket: number, bytes: number, signal: AbortSignal): Promise<Lease> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(reasonOf(signal))
        return
      }
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        reject(reasonOf(signal))
        // Who waited behind a large request may fit now.
        this.#admit()
      }
      const waiter: Waiter = {
        ticket,
        bytes,
        resolve: (lease) => {
          signal.removeEventListener('abort', onAbort)
          resolve(lease)
        },
      }
      signal.addEventListener('abort', onAbort, { once: true })
      const behind = this.#waiting.findLastIndex((other) => other.ticket < ticket)
      this.#waiting.splice(behind + 1, 0, waiter)
      this.#admit()
    })
  }

  close(): void {
    this.#closed.abort(new Error('the model is closed'))
  }

  #admit(): void {
    if (this.#waiting.length === 0) return
    const pause = this.#pausedUntil - this.#clock.now()
    if (pause > 0) {
      void this.#wakeIn(pause)
      return
    }
    for (;;) {
      const next = this.#waiting[0]
      if (next === undefined || this.#inFlight >= this.#limit) return
      // The head of the queue waits for room and everybody waits behind it: large requests are never overtaken forever.
      if (this.#inFlight > 0 && this.#bytes + next.bytes > this.#settings.maxBytes) return
      this.#waiting.shift()
      next.resolve(this.#lease(next.bytes))
    }
  }

  #lease(bytes: number): Lease {
    this.#inFlight += 1
    this.#bytes += bytes
    this.#peak = Math.max(this.#peak, this.#inFlight)
    const startedAtCut = this.#cuts
    let released = false
    return {
      release: (outcome, retryAfterMs) => {
        if (released) return
        released = true
        this.#inFlight -= 1
        this.#bytes -= bytes
        if (outcome === 'ok') this.#grow(startedAtCut)
        if (outcome === 'overload') this.#cut(startedAtCut, retryAfterMs)
        this.#admit()
      },
    }
  }

  #grow(startedAtCut: number): void {
    // A success that began before a cut says nothing about the limit after it.
    if (this.#settings.fixed !== undefined || startedAtCut !== this.#cuts) return
    this.#successes += 1
    if (this.#successes < this.#limit) return
    // A limit that was not used was not tested.
    if (this.#peak >= Math.floor(this.#limit * USED_SHARE)) {
      const wanted = this.#slowStart ? this.#limit * 2 : this.#limit + 1
      this.#limit = Math.min(wanted, this.#settings.max)
    }
    this.#successes = 0
    this.#peak = this.#inFlight
  }

  #cut(startedAtCut: number, retryAfterMs: number | undefined): void {
    if (retryAfterMs !== undefined) {
      this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + retryAfterMs)
    }
    if (startedAtCut !== this.#cuts) return
    this.#cuts += 1
    this.#slowStart = false
    this.#successes = 0
    this.#peak = this.#inFlight
    if (this.#settings.fixed !== undefined) return
    const before = this.#limit
    this.#limit = Math.max(1, Math.floor(before / 2))
    if (this.#limit !== before) this.#onCut(this.#limit)
  }

  async #wakeIn(ms: number): Promise<void> {
    if (this.#waking) return
    this.#waking = true
    try {
      await this.#clock.sleep(ms, this.#closed.signal)
    } catch {
      // Closed: who waits is aborted by whoever closed.
      return
    } finally {
      this.#waking = false
    }
    this.#admit()
  }
}
