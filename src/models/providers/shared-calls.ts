import { abortReason } from '../clock.ts'

interface Call<T> {
  promise: Promise<T>
  controller: AbortController
  waiting: number
}

/**
 * Merges identical concurrent calls into one. An aborted caller leaves immediately; the call itself is aborted when
 * its last caller leaves.
 */
export class SharedCalls<T> {
  readonly #calls = new Map<string, Call<T>>()

  /** The result of the call with this key, and whether this caller started it. */
  async run(
    key: string,
    signal: AbortSignal,
    start: (signal: AbortSignal) => Promise<T>,
  ): Promise<{ value: T; first: boolean }> {
    if (signal.aborted) throw abortReason(signal)
    let call = this.#calls.get(key)
    const first = call === undefined
    if (call === undefined) {
      call = this.#start(key, start)
      this.#calls.set(key, call)
    }
    return { value: await this.#join(key, call, signal), first }
  }

  /** Aborts all calls in flight. */
  abortAll(reason: Error): void {
    for (const { controller } of this.#calls.values()) controller.abort(reason)
  }

  #start(key: string, start: (signal: AbortSignal) => Promise<T>): Call<T> {
    const controller = new AbortController()
    const promise = start(controller.signal)
    const call = { promise, controller, waiting: 0 }
    const remove = () => {
      if (this.#calls.get(key) === call) this.#calls.delete(key)
    }
    promise.then(remove, remove)
    return call
  }

  async #join(key: string, call: Call<T>, signal: AbortSignal): Promise<T> {
    call.waiting += 1
    let onAbort = () => {}
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => {
        call.waiting -= 1
        if (call.waiting === 0) {
          // New callers must not join an aborted call.
          if (this.#calls.get(key) === call) this.#calls.delete(key)
          call.controller.abort(abortReason(signal))
        }
        reject(abortReason(signal))
      }
      signal.addEventListener('abort', onAbort, { once: true })
    })
    try {
      return await Promise.race([call.promise, aborted])
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }
}
