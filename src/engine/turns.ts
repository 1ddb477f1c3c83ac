/**
 * Which of the prepared episodes asks next: as many at a time as the models have connections. The first question about a scene
 * goes before questions about earlier ones: a server that caches takes in its images while it answers those, and would
 * otherwise wait for the last of them.
 */

/** First questions that are not answered yet. More would only keep earlier scenes in the server's caches for longer. */
const MAX_OPENING = 4

/** The turn of one episode, from its first request to its end. */
export interface Turn {
  /** Resolves when it may ask; at once after the first time. */
  ask(): Promise<void>
  /** It has a reply. */
  answered(): void
  end(): void
  readonly waitedMs: number
}

export class Turns {
  readonly #limit: () => number
  readonly #first: (() => void)[] = []
  readonly #others: (() => void)[] = []
  #asking = 0
  #opening = 0

  constructor(limit: () => number) {
    this.#limit = limit
  }

  /** @param isFirst about its scene */
  turn(isFirst: boolean): Turn {
    let granted: Promise<void> | undefined
    let isOpening = false
    const wait = async (): Promise<void> => {
      const since = performance.now()
      await new Promise<void>((resolve) => {
        if (isFirst) this.#first.push(resolve)
        else this.#others.push(resolve)
        this.wake()
      })
      isOpening = isFirst
      turn.waitedMs = performance.now() - since
    }
    const release = (): void => {
      turn.answered()
      this.#asking -= 1
      this.wake()
    }
    const turn = {
      waitedMs: 0,
      ask: () => (granted ??= wait()),
      answered: () => {
        if (isOpening) this.#opening -= 1
        isOpening = false
      },
      end: () => {
        // An episode that fails while it waits still gets its turn.
        void granted?.then(release)
      },
    }
    return turn
  }

  /** Grants turns after the limit was raised. */
  wake(): void {
    while (this.#asking < this.#limit()) {
      const isOpen = this.#opening < MAX_OPENING || this.#others.length === 0
      const first = isOpen ? this.#first.shift() : undefined
      const next = first ?? this.#others.shift()
      if (!next) return
      this.#asking += 1
      if (first) this.#opening += 1
      next()
    }
  }
}
