import { reasonOf } from '../clock.ts'

interface Call<T> {
  promise: Promise<T>
  controller: AbortController
  waiting: number
}

/**
 * Equal calls at the same time become one. Who no longer wants the result leaves at once; the call itself is aborted
 * when nobody wants it any more.
 */
export class SharedCalls<T> {
  readonly #calls = new Map<string, Call<T>>()

  /** The result of the call with this key, and whether it was this one that started it. */
  async run(
    key: string,
    signal: AbortSignal,
    start: (signal: AbortSignal) => Promise<T>,
  ): Promise<{ value: T; first: boolean }> {
    if (signal.aborted) throw reasonOf(signal)
    let call = this.#calls.get(key)
    const first = call === undefined
    if (call === undefined) {
      call = this.#start(key, start)
      this.#calls.set(key, call)
    }
    return { value: await this.#join(key, call, signal), first }
  }

  /** Aborts everything that is under way. */
  abortAll(reason: Error): void {
    for (const { controller } of this.#calls.values()) controller.abort(reason)
  }

  #start(key: string, start: (signal: AbortSignal) => Promise<T>): Call<T> {
    const controller = new AbortController()
    const promise = start(controller.signal)
    const call = { promise, controller, waiting: 0 }
    const forget = () => {
      if (this.#calls.get(key) === call) this.#calls.delete(key)
    }
    promise.then(forget, forget)
    return call
  }

  async #join(key: string, call: Call<T>, signal: AbortSignal): Promise<T> {
    call.waiting += 1
    let onAbort = () => {}
    const gone = new Promise<never>((_, reject) => {
      onAbort = () => {
        call.waiting -= 1
        if (call.waiting === 0) {
          // Nobody may join a call that is being aborted.
          if (this.#calls.get(key) === call) this.#calls.delete(key)
          call.controller.abort(reasonOf(signal))
        }
        reject(reasonOf(signal))
      }
      signal.addEventListener('abort', onAbort, { once: true })
    })
    try {
      return await Promise.race([call.promise, gone])
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }
}
