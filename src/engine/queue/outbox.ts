/** Sends messages from a worker to the coordinator of a run, in batches. */
import type { SharedState } from './shared-state.ts'
import { packMessage, type WorkerMessage } from './worker-messages.ts'

/** Maximum time a message waits for others. */
const BATCH_DELAY_MS = 5

export class Outbox {
  readonly #shared: SharedState
  readonly #run: string
  #waiting: Buffer[] = []
  #sending: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | null = null
  #failure: unknown

  constructor(shared: SharedState, run: string) {
    this.#shared = shared
    this.#run = run
  }

  write(message: WorkerMessage, events: readonly string[] = []): void {
    this.#waiting.push(packMessage(message, events))
    this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), BATCH_DELAY_MS)
  }

  /** Resolves once all messages are on the server, in order. */
  async flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const messages = this.#waiting
    this.#waiting = []
    if (messages.length > 0) {
      this.#sending = this.#sending
        .then(() => this.#shared.post(this.#run, messages))
        .catch((error: unknown) => {
          this.#failure ??= error
        })
    }
    await this.#sending
    // The lost message may be an episode, so later ones must not appear finished.
    if (this.#failure !== undefined) throw this.#failure
  }
}
