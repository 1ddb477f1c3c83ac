/** Sends messages from a worker to the coordinator of a run, in batches. */
import { randomUUID } from 'node:crypto'
import type { Seal } from './seal.ts'
import type { SharedState } from './shared-state.ts'
import { packMessage, type WorkerMessage } from './worker-messages.ts'

/** Maximum time a message waits for others. */
const BATCH_DELAY_MS = 5

export class Outbox {
  readonly #shared: SharedState
  readonly #run: string
  readonly #seal: Seal
  /** Messages are numbered, so one that reaches the server twice counts once. */
  readonly #sender = randomUUID()
  #number = 0
  #waiting: Buffer[] = []
  #sending: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | null = null
  #failure: unknown

  constructor(shared: SharedState, run: string, seal: Seal) {
    this.#shared = shared
    this.#run = run
    this.#seal = seal
  }

  write(message: WorkerMessage, events: readonly string[] = []): void {
    const envelope = { message, sender: this.#sender, number: ++this.#number }
    this.#waiting.push(packMessage(envelope, events, this.#seal))
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
