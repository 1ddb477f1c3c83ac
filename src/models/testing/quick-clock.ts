import { type Clock, realClock } from '../clock.ts'

/** Real time, so many times as fast: back-offs of minutes pass in a moment and still in their order. */
export function quickClock(timesAsFast: number, random: () => number = () => 0.5): Clock {
  const origin = Date.now()
  return {
    now: () => origin + (Date.now() - origin) * timesAsFast,
    sleep: (ms, signal) => realClock.sleep(ms / timesAsFast, signal),
    random,
  }
}
