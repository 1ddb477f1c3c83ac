import { type Clock, realClock } from '../../../src/models/clock.ts'

/** Real time, sped up: minutes of backoff pass in moments, in the same order. */
export function quickClock(timesAsFast: number, random: () => number = () => 0.5): Clock {
  const origin = Date.now()
  return {
    now: () => origin + (Date.now() - origin) * timesAsFast,
    sleep: (ms, signal) => realClock.sleep(ms / timesAsFast, signal),
    after: (ms, then) => realClock.after(ms, then),
    random,
  }
}

const POLL_MS = 10

/** Like `quickClock`, but a request times out once `count` has grown since it started, however slow the machine is. */
export function timeoutWhenCountGrows(count: () => number): Clock {
  return {
    ...quickClock(1000),
    after(_, then) {
      const before = count()
      const timer = setInterval(() => {
        if (count() === before) return
        clearInterval(timer)
        then()
      }, POLL_MS)
      return () => clearInterval(timer)
    },
  }
}
