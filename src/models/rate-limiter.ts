/**
 * Whose turn it is to send, beyond this process's own connections: the user's rates, or what a whole cluster shares. Taken
 * anew for every attempt, because every attempt counts for the provider.
 */
import type { Clock } from './clock.ts'
import { type RateSpacing, spacingFor } from './rate-spacing.ts'

export interface RateLimiter {
  /** Waits until a request may be sent; throws the signal's reason as soon as it is aborted. */
  acquire(signal: AbortSignal): Promise<RateSlot>
  close(): Promise<void>
}

export interface RateSlot {
  /** Gives the turn back: how many tokens it used, and for how long the server wants to hear of nobody. */
  release(tokens: number, pauseMs?: number): void
}

export interface Rates {
  requestsPerMinute: number | null
  tokensPerMinute: number | null
}

/** What the next request will probably use, by what those before it used. */
export class TokenGuess {
  #tokens = 0
  #requests = 0

  get next(): number {
    return this.#requests === 0 ? 0 : this.#tokens / this.#requests
  }

  learn(tokens: number): void {
    // Refused requests use nothing and tell nothing.
    if (tokens <= 0) return
    this.#tokens += tokens
    this.#requests += 1
  }
}

/** Rates within one process. */
export class LocalRateLimiter implements RateLimiter {
  readonly #requests: RateSpacing
  readonly #tokens: RateSpacing
  readonly #clock: Clock
  readonly #guess = new TokenGuess()
  /** The moments up to which requests and tokens are given away. */
  #requestsUntil = 0
  #tokensUntil = 0
  /** First come, first served. */
  #line: Promise<unknown> = Promise.resolve()

  constructor({ requestsPerMinute, tokensPerMinute }: Rates, clock: Clock) {
    this.#requests = spacingFor(requestsPerMinute)
    this.#tokens = spacingFor(tokensPerMinute)
    this.#clock = clock
  }

  acquire(signal: AbortSignal): Promise<RateSlot> {
    const turn = this.#line.then(() => this.#wait(signal))
    this.#line = turn.catch(() => undefined)
    return turn
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
      const guess = this.#guess.next
      this.#requestsUntil = requests + this.#requests.intervalMs
      this.#tokensUntil = tokens + guess * this.#tokens.intervalMs
      let ended = false
      return {
        release: (used) => {
          if (ended) return
          ended = true
          this.#guess.learn(used)
          this.#tokensUntil += (used - guess) * this.#tokens.intervalMs
        },
      }
    }
  }
}
