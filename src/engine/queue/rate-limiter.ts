/** Rate and connection limits shared by all workers of a run. */
import { randomUUID } from 'node:crypto'
import { type Clock, realClock, abortReason } from '../../models/clock.ts'
import { TokenEstimator, type RateSlot, type RateLimiter } from '../../models/rate-limiter.ts'
import type { SharedState, RateLimits } from './shared-state.ts'

/** The slot of a worker that died is free again after this time. */
const LEASE_MS = 20_000
const RENEW_MS = 6_000
const MIN_POLL_MS = 10
const MAX_POLL_MS = 200

export class ClusterRateLimiter implements RateLimiter {
  readonly #shared: SharedState
  readonly #bucket: string
  readonly #limits: RateLimits
  readonly #mayAsk: () => Promise<void>
  readonly #clock: Clock
  readonly #guess = new TokenEstimator()
  readonly #held = new Set<string>()
  readonly #renewing: NodeJS.Timeout

  /** @param mayAsk called with a slot at hand, right before a request; throws if the run is stopping */
  constructor(
    shared: SharedState,
    bucket: string,
    limits: RateLimits,
    mayAsk: () => Promise<void>,
    clock: Clock = realClock,
  ) {
    this.#shared = shared
    this.#bucket = bucket
    this.#limits = limits
    this.#mayAsk = mayAsk
    this.#clock = clock
    this.#renewing = setInterval(() => {
      this.#shared.renewSlots(this.#bucket, [...this.#held], LEASE_MS).catch(() => undefined)
    }, RENEW_MS)
    this.#renewing.unref()
  }

  async acquire(signal: AbortSignal): Promise<RateSlot> {
    const lease = randomUUID()
    const guess = this.#guess.next
    let pollMs = MIN_POLL_MS
    for (;;) {
      if (signal.aborted) throw abortReason(signal)
      const answer = await this.#shared.acquireSlot(this.#bucket, lease, LEASE_MS, this.#limits, guess)
      if (answer.granted) {
        const slot = this.#granted(lease, guess)
        try {
          await this.#mayAsk()
        } catch (error) {
          slot.release(0)
          throw error
        }
        return slot
      }
      // Poll if all connections are taken, with jitter so workers do not poll in lockstep.
      const wait = answer.waitMs > 0 ? answer.waitMs : pollMs * (0.5 + this.#clock.random())
      pollMs = Math.min(MAX_POLL_MS, pollMs * 2)
      await this.#clock.sleep(wait, signal)
    }
  }

  close(): Promise<void> {
    clearInterval(this.#renewing)
    return Promise.resolve()
  }

  #granted(lease: string, guess: number): RateSlot {
    this.#held.add(lease)
    return {
      release: (used, pauseMs = 0) => {
        if (!this.#held.delete(lease)) return
        this.#guess.record(used)
        this.#shared.releaseSlot(this.#bucket, lease, this.#limits, used - guess, pauseMs).catch(() => undefined)
      },
    }
  }
}
