/** Adds what a worker spends to the shared total of a run. */
import { randomUUID } from 'node:crypto'
import type { SharedState, Spent } from './shared-state.ts'

const NOTHING: Spent = { usd: 0, tokens: 0 }

export class Spending {
  readonly #shared: SharedState
  readonly #run: string
  /** Payments are numbered and sent one at a time, so one that reaches the server twice counts once. */
  readonly #payer = randomUUID()
  #number = 0
  #waiting = NOTHING
  /** Sends what waits, once the payment before it is in the total. */
  #next: Promise<void> | null = null
  #last: Promise<void> = Promise.resolve()

  constructor(shared: SharedState, run: string) {
    this.#shared = shared
    this.#run = run
  }

  /** Resolves when the amount, negative for a correction, is in the total. Amounts that wait are sent as one. */
  add({ usd, tokens }: Spent): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = {
      usd: usd === null || waiting.usd === null ? null : waiting.usd + usd,
      tokens: waiting.tokens + tokens,
    }
    this.#next ??= this.#last = this.#last.catch(() => undefined).then(() => this.#send())
    return this.#next
  }

  /** Resolves when everything is in the total, or cannot be added because the worker stops. */
  async flush(): Promise<void> {
    await this.#last.catch(() => undefined)
  }

  async #send(): Promise<void> {
    const amount = this.#waiting
    this.#waiting = NOTHING
    this.#next = null
    await this.#shared.spend(this.#run, { payer: this.#payer, number: ++this.#number }, amount)
  }
}
