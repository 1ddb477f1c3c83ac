/**
 * Rate limits on top of the connection limit: those set by the user, or a budget shared by all workers of a queue.
 * Acquired for every attempt, because providers count every attempt.
 */
import type { Clock } from './clock.ts'
import { type RateSpacing, spacingFor } from './rate-spacing.ts'

export interface RateLimiter {
  /** Waits until a request may be sent; throws the signal's reason as soon as it is aborted. */
  acquire(signal: AbortSignal): Promise<RateSlot>
  close(): Promise<void>
}

export interface RateSlot {
  /** Returns the slot, with the tokens used and the time the server asked all clients to wait. */
  release(tokens: number, pauseMs?: number): void
}

export interface Rates {
  requestsPerMinute: number | null
  tokensPerMinute: number | null
}

/** Predicts the tokens of the next request from the mean of the previous ones. */
export class TokenEstimator {
  #tokens = 0
  #requests = 0

  get next(): number {
    return this.#requests === 0 ? 0 : this.#tokens / this.#requests
  }

  record(tokens: number): void {
    // Rejected requests use no tokens and would skew the mean.
    if (tokens <= 0) return
    this.#tokens += tokens
    this.#requests += 1
  }
}

/** Rate limits within one process. */
export class LocalRateLimiter implements RateLimiter {
  readonly #requests: RateSpacing
  readonly #tokens: RateSpacing
  readonly #clock: Clock
  readonly #estimator = new TokenEstimator()
  /** Requests and tokens are booked up to these times. */
  #requestsUntil = 0
  #tokensUntil = 0
  /** The last request in line: first come, first served. */
  #queue: Promise<unknown> = Promise.resolve()

  constructor({ requestsPerMinute, tokensPerMinute }: Rates, clock: Clock) {
    this.#requests = spacingFor(requestsPerMinute)
    this.#tokens = spacingFor(tokensPerMinute)
    this.#clock = clock
  }

  acquire(signal: AbortSignal): Promise<RateSlot> {
    const slot = this.#queue.then(() => this.#wait(signal))
    this.#queue = slot.catch(() => undefined)
    return slot
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  async #wait(signal: AbortSignal): Promise<RateSlot> {
    for (;;) {
      signal.throwIfAborted()
      const now = this.#clock.now()
      const requests = Math.max(this.#requestsUntil, now)
      const tokens = Math.max(this.#tokensUntil, now)
      const wait = Math.max(requests - now - this.#requests.burstMs, tokens - now - this.#tokens.burstMs)
      if (wait > 0) {
        await this.#clock.sleep(wait, signal)
        continue
      }
      const estimate = this.#estimator.next
      this.#requestsUntil = requests + this.#requests.intervalMs
      this.#tokensUntil = tokens + estimate * this.#tokens.intervalMs
      let released = false
      return {
        release: (used) => {
          if (released) return
          released = true
          this.#estimator.record(used)
          this.#tokensUntil += (used - estimate) * this.#tokens.intervalMs
        },
      }
    }
  }
}
