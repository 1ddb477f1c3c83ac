/** Letters of a worker to the coordinator of one run, sent together when they come together. */
import type { SharedState } from './shared-state.ts'
import { packMessage, type WorkerMessage } from './worker-messages.ts'

/** One message waits at most so long for others. */
const GATHER_MS = 5

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
    this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), GATHER_MS)
  }

  /** Resolves once everything that was written is in the box. Letters keep their order. */
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
    // A message that is lost may be an episode: nothing that follows it may look finished.
    if (this.#failure !== undefined) throw this.#failure
  }
}
