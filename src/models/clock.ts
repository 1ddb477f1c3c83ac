/** Time and chance as this layer uses them, in one place, so that tests need not wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Ends after `ms`, or throws the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Calls `then` once after `ms`, unless the function that comes back was called before. */
  after(ms: number, then: () => void): () => void
  /** Uniform in [0, 1): spreads retries in time. Decides nothing that a score depends on. */
  random(): number
}

/** The longest delay a timer can hold; longer ones would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

export const realClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  after(ms, then) {
    const timer = setTimeout(then, Math.min(Math.max(ms, 0), MAX_TIMER_MS))
    return () => clearTimeout(timer)
  },
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(reasonOf(signal))
        return
      }
      const onAbort = () => {
        forget()
        reject(reasonOf(signal))
      }
      const forget = realClock.after(ms, () => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      })
      signal.addEventListener('abort', onAbort, { once: true })
    })
  },
}

/** Why a signal was aborted, always as an `Error`. */
export function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  return reason instanceof Error ? reason : new Error(String(reason))
}

/** A signal that is aborted with the first of two, and is forgotten by both once it is released. */
export function eitherOf(a: AbortSignal, b: AbortSignal): { signal: AbortSignal; release(): void } {
  const either = new AbortController()
  const follow = [a, b].map((signal) => {
    const abort = () => either.abort(reasonOf(signal))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    return () => signal.removeEventListener('abort', abort)
  })
  return {
    signal: either.signal,
    release: () => {
      for (const forget of follow) forget()
    },
  }
}
