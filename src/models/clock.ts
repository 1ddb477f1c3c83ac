/** Time and randomness in one injectable place, so tests do not have to wait. */
export interface Clock {
  /** Milliseconds since some moment. Monotonic: setting the system's clock does not change it. */
  now(): number
  /** Resolves after `ms`, or throws the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Calls `then` once after `ms`; the returned function cancels it. */
  after(ms: number, then: () => void): () => void
  /** Uniform in [0, 1). Used for retry jitter only; no score depends on it. */
  random(): number
}

/** `setTimeout` fires immediately for longer delays. */
const MAX_TIMER_MS = 2 ** 31 - 1

export const realClock: Clock = {
  now: () => performance.now(),
  random: () => Math.random(),
  after(ms, then) {
    const timer = setTimeout(then, Math.min(Math.max(ms, 0), MAX_TIMER_MS))
    return () => clearTimeout(timer)
  },
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(abortReason(signal))
        return
      }
      const onAbort = () => {
        cancel()
        reject(abortReason(signal))
      }
      const cancel = realClock.after(ms, () => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      })
      signal.addEventListener('abort', onAbort, { once: true })
    })
  },
}

/** The reason a signal was aborted, always as an `Error`. */
export function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  return reason instanceof Error ? reason : new Error(String(reason))
}

/** Like `AbortSignal.any`, but `release` removes the listeners: long-lived signals would otherwise collect them. */
export function anySignal(a: AbortSignal, b: AbortSignal): { signal: AbortSignal; release(): void } {
  const either = new AbortController()
  const follow = [a, b].map((signal) => {
    const abort = () => either.abort(abortReason(signal))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    return () => signal.removeEventListener('abort', abort)
  })
  return {
    signal: either.signal,
    release: () => {
      for (const cancel of follow) cancel()
    },
  }
}
