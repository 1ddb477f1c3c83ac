/**
 * Bounds the memory of what servers send. Everything that is being read, or is still in use, shares a budget of bytes; what
 * does not fit waits, so its connection is not read any further.
 *
 * Two readers that each wait for the other's bytes would wait forever, so the oldest holder never waits. It may take as
 * much as the whole budget for itself, and not more: in all, at most twice the budget is in use.
 */
import { abortReason } from './clock.ts'

/** The share of one user of a budget. */
export interface HeldBytes {
  /**
   * Resolves when there is room. Throws `BudgetExceeded` if this holder alone would exceed the budget, and the signal's
   * reason as soon as it is aborted.
   *
   * @param onWait called if there is no room yet: what the oldest holder may need must not be kept while waiting
   */
  take(bytes: number, signal: AbortSignal, onWait?: () => void): Promise<void>
  /** Returns everything. */
  release(): void
}

export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded'
}

interface Waiter {
  holder: Holder
  bytes: number
  resolve: () => void
}

interface Holder {
  bytes: number
}

export class ByteBudget {
  readonly #limit: number
  /** Those with bytes, or waiting for some; the oldest first. */
  readonly #holders = new Set<Holder>()
  #waiting: Waiter[] = []
  #bytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Bytes in use. */
  get bytes(): number {
    return this.#bytes
  }

  hold(): HeldBytes {
    const holder: Holder = { bytes: 0 }
    return {
      take: async (bytes, signal, onWait) => {
        this.#holders.add(holder)
        if (holder.bytes + bytes > this.#limit) {
          throw new BudgetExceeded(`larger than ${this.#limit / 2 ** 20} MB`)
        }
        if (this.#grant(holder, bytes)) return
        onWait?.()
        await this.#wait(holder, bytes, signal)
      },
      release: () => {
        this.#holders.delete(holder)
        this.#bytes -= holder.bytes
        holder.bytes = 0
        this.#waiting = this.#waiting.filter(({ holder: waiting, bytes, resolve }) => {
          const granted = this.#grant(waiting, bytes)
          if (granted) resolve()
          return !granted
        })
      },
    }
  }

  #grant(holder: Holder, bytes: number): boolean {
    const [oldest] = this.#holders
    if (this.#bytes + bytes > this.#limit && holder !== oldest) return false
    holder.bytes += bytes
    this.#bytes += bytes
    return true
  }

  #wait(holder: Holder, bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(abortReason(signal))
        return
      }
      const onAbort = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter)
        reject(abortReason(signal))
      }
      const waiter: Waiter = {
        holder,
        bytes,
        resolve: () => {
          signal.removeEventListener('abort', onAbort)
          resolve()
        },
      }
      signal.addEventListener('abort', onAbort, { once: true })
      this.#waiting.push(waiter)
    })
  }
}
