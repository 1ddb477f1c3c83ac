/**
 * Adaptive concurrency limit: grows while the server keeps up and is halved when the server reports overload.
 *
 * - A round is as many successes as the current limit. During slow start the limit doubles after every round; after
 *   the first cut it grows by one per round.
 * - One cut per incident: requests already in flight when the limit was cut do not cut it again.
 * - A `Retry-After` from the server pauses all requests until then.
 *
 * The queue is first come, first served; a retry keeps the place of its first attempt.
 */
import { type Clock, abortReason } from './clock.ts'

export interface LimiterSettings {
  /** A fixed limit that never grows or shrinks. */
  fixed?: number
  /** The initial limit. */
  start: number
  /** Upper bound of the adaptive limit. */
  max: number
}

export const ADAPTIVE_START = 4
/** Fraction of the limit that must have been in use for it to grow; below 1 because episodes also compute and render. */
const MIN_UTILIZATION = 0.75

export type Outcome = 'ok' | 'overload' | 'neutral'

/** The name of a limit: models with the same endpoint and bounds share it. */
export function limiterKey(endpoint: string, { fixed, max }: Pick<LimiterSettings, 'fixed' | 'max'>): string {
  return `${endpoint} ${fixed ?? `up to ${max}`}`
}

/** Permission to have one request in flight. */
export interface Lease {
  /** Returns the lease; `overload` if the server rejected the request as one too many, with its `Retry-After`. */
  release(outcome: Outcome, retryAfterMs?: number): void
}

interface Waiter {
  ticket: number
  resolve(lease: Lease): void
}

export class Limiter {
  readonly #settings: LimiterSettings
  readonly #clock: Clock
  readonly #waiting: Waiter[] = []
  readonly #closed = new AbortController()
  #limit: number
  #inFlight = 0
  #slowStart = true
  /** Successes and peak concurrency in the current round. */
  #successes = 0
  #peak = 0
  #cuts = 0
  #pausedUntil = 0
  #waking = false
  #nextTicket = 0

  constructor(settings: LimiterSettings, clock: Clock) {
    this.#settings = settings
    this.#clock = clock
    this.#limit = settings.fixed ?? Math.min(settings.start, settings.max)
  }

  /** The current limit. */
  get limit(): number {
    return this.#limit
  }

  /** How often the limit was cut. */
  get cuts(): number {
    return this.#cuts
  }

  /** Milliseconds until requests are sent again; 0 without a `Retry-After`. */
  get pausedMs(): number {
    return Math.max(0, this.#pausedUntil - this.#clock.now())
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** Requests in the queue. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** A place in the queue, kept for all attempts of a request. */
  ticket(): number {
    return this.#nextTicket++
  }

  /** Waits for a free connection; throws the signal's reason as soon as it is aborted. */
  acquire(ticket: number, signal: AbortSignal): Promise<Lease> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(abortReason(signal))
        return
      }
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        reject(abortReason(signal))
      }
      const waiter: Waiter = {
        ticket,
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
    if (this.pausedMs > 0) {
      void this.#wakeIn(this.pausedMs)
      return
    }
    for (;;) {
      const next = this.#waiting[0]
      if (next === undefined || this.#inFlight >= this.#limit) return
      this.#waiting.shift()
      next.resolve(this.#lease())
    }
  }

  #lease(): Lease {
    this.#inFlight += 1
    this.#peak = Math.max(this.#peak, this.#inFlight)
    const startedAtCut = this.#cuts
    let released = false
    return {
      release: (outcome, retryAfterMs) => {
        if (released) return
        released = true
        this.#inFlight -= 1
        if (outcome === 'ok') this.#grow(startedAtCut)
        if (outcome === 'overload') this.#cut(startedAtCut, retryAfterMs)
        this.#admit()
      },
    }
  }

  #grow(startedAtCut: number): void {
    // A success that started before a cut says nothing about the limit after it.
    if (this.#settings.fixed !== undefined || startedAtCut !== this.#cuts) return
    this.#successes += 1
    if (this.#successes < this.#limit) return
    // Successes below the limit are not evidence that the server can take more.
    if (this.#peak >= Math.floor(this.#limit * MIN_UTILIZATION)) {
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
    if (this.#settings.fixed === undefined) this.#limit = Math.max(1, Math.floor(this.#limit / 2))
  }

  async #wakeIn(ms: number): Promise<void> {
    if (this.#waking) return
    this.#waking = true
    try {
      await this.#clock.sleep(ms, this.#closed.signal)
    } catch {
      // Closed: the caller of `close` aborts the waiting requests.
      return
    } finally {
      this.#waking = false
    }
    this.#admit()
  }
}
