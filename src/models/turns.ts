/**
 * Whose turn it is to send, beyond this process's own connections: the user's rates, or what a whole cluster shares. Taken
 * anew for every attempt, because every attempt counts for the provider.
 */
import type { Clock } from './clock.ts'
import { type Pace, paceOf } from './pace.ts'

export interface Turns {
  /** Waits until a request may be sent; throws the signal's reason as soon as it is aborted. */
  take(signal: AbortSignal): Promise<Turn>
  close(): Promise<void>
}

export interface Turn {
  /** Gives the turn back: how many tokens it used, and for how long the server wants to hear of nobody. */
  end(tokens: number, pauseMs?: number): void
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
export class LocalTurns implements Turns {
  readonly #requests: Pace
  readonly #tokens: Pace
  readonly #clock: Clock
  readonly #guess = new TokenGuess()
  /** The moments up to which requests and tokens are given away. */
  #requestsUntil = 0
  #tokensUntil = 0
  /** First come, first served. */
  #line: Promise<unknown> = Promise.resolve()

  constructor({ requestsPerMinute, tokensPerMinute }: Rates, clock: Clock) {
    this.#requests = paceOf(requestsPerMinute)
    this.#tokens = paceOf(tokensPerMinute)
    this.#clock = clock
  }

  take(signal: AbortSignal): Promise<Turn> {
    const turn = this.#line.then(() => this.#wait(signal))
    this.#line = turn.catch(() => undefined)
    return turn
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  async #wait(signal: AbortSignal): Promise<Turn> {
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
        end: (used) => {
          if (ended) return
          ended = true
          this.#guess.learn(used)
          this.#tokensUntil += (used - guess) * this.#tokens.intervalMs
        },
      }
    }
  }
}
