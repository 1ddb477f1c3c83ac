/** Letters of a worker to the coordinator of one run, sent together when they come together. */
import type { Board } from './board.ts'
import { packLetter, type RunLetter } from './letters.ts'

/** One letter waits at most so long for others. */
const GATHER_MS = 5

export class Outbox {
  readonly #board: Board
  readonly #run: string
  #waiting: Buffer[] = []
  #sending: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | null = null
  #failure: unknown

  constructor(board: Board, run: string) {
    this.#board = board
    this.#run = run
  }

  write(letter: RunLetter, events: readonly string[] = []): void {
    this.#waiting.push(packLetter(letter, events))
    this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), GATHER_MS)
  }

  /** Resolves once everything that was written is in the box. Letters keep their order. */
  async flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const letters = this.#waiting
    this.#waiting = []
    if (letters.length > 0) {
      this.#sending = this.#sending
        .then(() => this.#board.post(this.#run, letters))
        .catch((error: unknown) => {
          this.#failure ??= error
        })
    }
    await this.#sending
    // A letter that is lost may be an episode: nothing that follows it may look finished.
    if (this.#failure !== undefined) throw this.#failure
  }
}
