import { type Clock, realClock } from '../../../src/models/clock.ts'

/** Real time, so many times as fast: back-offs of minutes pass in a moment and still in their order. */
export function quickClock(timesAsFast: number, random: () => number = () => 0.5): Clock {
  const origin = Date.now()
  return {
    now: () => origin + (Date.now() - origin) * timesAsFast,
    sleep: (ms, signal) => realClock.sleep(ms / timesAsFast, signal),
    after: (ms, then) => realClock.after(ms, then),
    random,
  }
}

const LOOK_EVERY_MS = 10

/** The same, but the time of a request is up once `count` has grown since it began: however slow a machine is. */
export function timeUpWhenMore(count: () => number): Clock {
  return {
    ...quickClock(1000),
    after(_, then) {
      const before = count()
      const looking = setInterval(() => {
        if (count() === before) return
        clearInterval(looking)
        then()
      }, LOOK_EVERY_MS)
      return () => clearInterval(looking)
    },
  }
}
