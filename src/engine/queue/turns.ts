/** Rates and connections that hold for all workers of a run together. */
import { randomUUID } from 'node:crypto'
import { type Clock, realClock, reasonOf } from '../../models/clock.ts'
import { TokenGuess, type Turn, type Turns } from '../../models/turns.ts'
import type { Board, TurnLimits } from './board.ts'

/** A request of a worker that died frees its place after so long. */
const LEASE_MS = 20_000
const RENEW_MS = 6_000
const FIRST_LOOK_MS = 10
const LONGEST_LOOK_MS = 200

export class ClusterTurns implements Turns {
  readonly #board: Board
  readonly #bucket: string
  readonly #limits: TurnLimits
  readonly #clock: Clock
  readonly #guess = new TokenGuess()
  readonly #held = new Set<string>()
  readonly #renewing: NodeJS.Timeout

  constructor(board: Board, bucket: string, limits: TurnLimits, clock: Clock = realClock) {
    this.#board = board
    this.#bucket = bucket
    this.#limits = limits
    this.#clock = clock
    this.#renewing = setInterval(() => {
      this.#board.renewTurns(this.#bucket, [...this.#held], LEASE_MS).catch(() => undefined)
    }, RENEW_MS)
    this.#renewing.unref()
  }

  async take(signal: AbortSignal): Promise<Turn> {
    const lease = randomUUID()
    const guess = this.#guess.next
    let look = FIRST_LOOK_MS
    for (;;) {
      if (signal.aborted) throw reasonOf(signal)
      const answer = await this.#board.takeTurn(this.#bucket, lease, LEASE_MS, this.#limits, guess)
      if (answer.granted) return this.#granted(lease, guess)
      // All connections are taken and nobody knows for how long. A little chance, so that workers do not ask in step.
      const wait = answer.waitMs > 0 ? answer.waitMs : look * (0.5 + this.#clock.random())
      look = Math.min(LONGEST_LOOK_MS, look * 2)
      await this.#clock.sleep(wait, signal)
    }
  }

  close(): Promise<void> {
    clearInterval(this.#renewing)
    return Promise.resolve()
  }

  #granted(lease: string, guess: number): Turn {
    this.#held.add(lease)
    return {
      end: (used, pauseMs = 0) => {
        if (!this.#held.delete(lease)) return
        this.#guess.learn(used)
        this.#board.endTurn(this.#bucket, lease, this.#limits, used - guess, pauseMs).catch(() => undefined)
      },
    }
  }
}
