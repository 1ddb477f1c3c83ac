/** Stops a run: gracefully first, then immediately. */
import { setMaxListeners } from 'node:events'

export type StopCause = 'interrupted' | 'budget' | 'time-limit' | 'failed'

/** The reason a run stops. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped'
  readonly why: StopCause

  constructor(why: StopCause, message: string) {
    super(message)
    this.why = why
  }
}

/**
 * Stops a run. `drain` sends no new requests but waits for those in flight, because they are paid for and their replies
 * are kept; `abort` cancels them too. Either way the run can be resumed.
 */
export class StopControl {
  readonly #abort = new AbortController()
  readonly #drain = new AbortController()
  #reason: RunStopped | null = null

  constructor() {
    // Every request in flight adds a listener; hundreds of them are not a leak.
    setMaxListeners(0, this.#abort.signal, this.#drain.signal)
  }

  /** Aborted by `abort`: cancels requests in flight. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Aborted by `drain`: ends waits before a request, but not requests in flight. */
  get draining(): AbortSignal {
    return this.#drain.signal
  }

  /** Why the run is stopping; null while it is running. */
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

  /** Throws the reason if the run is stopping. */
  check(): void {
    if (this.#reason) throw this.#reason
  }
}
