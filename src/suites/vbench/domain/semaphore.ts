/** Coding and decoding more videos at once than there are processors only takes memory. */
import { availableParallelism } from 'node:os'

const AT_ONCE = Math.max(1, Math.min(4, availableParallelism()))

class Turns {
  readonly #waiting: (() => void)[] = []
  #inside = 0

  /** Runs the work when there is room for it. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#inside++
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // Who waits takes over the place; it is not free in between.
      if (next) next()
      else this.#inside--
    }
  }
}

/** Whoever looks at videos, and whoever draws them: neither holds the other up. */
export const looking = new Turns()
export const drawing = new Turns()
