/** How a run is stopped: first gently, then at once. */
import { setMaxListeners } from 'node:events'

export type StopCause = 'interrupted' | 'budget' | 'time-limit' | 'errors'

export class RunStopped extends Error {
  override readonly name = 'RunStopped'
  readonly why: StopCause

  constructor(why: StopCause, message: string) {
    super(message)
    this.why = why
  }
}

/**
 * `drain` lets requests that are under way come home (they are paid for, and their replies are kept) but sends no new
 * one; `abort` cuts those off as well. Either way the run can be resumed.
 */
export class StopControl {
  readonly #abort = new AbortController()
  readonly #drain = new AbortController()
  #reason: RunStopped | null = null

  constructor() {
    // Every request under way listens; hundreds of them are no leak.
    setMaxListeners(0, this.#abort.signal, this.#drain.signal)
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Aborted when nothing new may be sent: ends waits before a request, not requests that are under way. */
  get draining(): AbortSignal {
    return this.#drain.signal
  }

  /** Why the run is stopping, or null while it is not. */
  get reason(): RunStopped | null {
    return this.#reason
  }

  drain(reason: RunStopped): void {
    if (this.#reason) return
    this.#reason = reason
    this.#drain.abort(reason)
  }

  abort(reason: RunStopped): void {
    this.drain(reason)
    this.#abort.abort(this.#reason)
  }

  /** Throws the reason when nothing may be asked any more. */
  check(): void {
    if (this.#reason) throw this.#reason
  }
}
