/** A semaphore whose limit may change. */
export class Semaphore {
  readonly #limit: () => number
  readonly #waiting: (() => void)[] = []
  readonly #onIdle: (() => void)[] = []
  #held = 0

  constructor(limit: () => number) {
    this.#limit = limit
  }

  get held(): number {
    return this.#held
  }

  get isFull(): boolean {
    return this.#held >= this.#limit()
  }

  /** Undefined if nothing has to be waited for. */
  acquire(): Promise<void> | undefined {
    if (this.#held < this.#limit()) {
      this.#held += 1
      return undefined
    }
    return new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  release(): void {
    this.#held -= 1
    this.wake()
    if (this.#held === 0 && this.#waiting.length === 0) for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  /** Grants waiting requests after the limit was raised. */
  wake(): void {
    while (this.#waiting.length > 0 && this.#held < this.#limit()) {
      this.#held += 1
      this.#waiting.shift()!()
    }
  }

  /** Resolves when nothing is held or waiting. */
  async idle(): Promise<void> {
    if (this.#held === 0 && this.#waiting.length === 0) return
    await new Promise<void>((resolve) => this.#onIdle.push(resolve))
  }
}
