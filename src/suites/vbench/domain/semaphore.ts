/** Coding and decoding more videos at once than there are processors only takes memory. */
import { availableParallelism } from 'node:os'

const SLOTS = Math.max(1, Math.min(4, availableParallelism()))

class Semaphore {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(slots: number) {
    this.#free = slots
  }

  /** Runs the work when there is a slot for it. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#free--
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // The next in line takes over the slot; it is not free in between.
      if (next) next()
      else this.#free++
    }
  }
}

export const decodeSlots = new Semaphore(SLOTS)
export const encodeSlots = new Semaphore(SLOTS)
