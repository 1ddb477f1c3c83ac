/**
 * Calls to the file system without the detour over the thread pool of Node, which costs ten times the CPU of a call that is
 * answered from memory. A disk that lets us wait, as over a network, gets the detour: nothing else would run meanwhile.
 */

/** Longer on average, and calls wait for a disk or a network. */
const SLOW_MS = 1
/** What a single call counts at most: other processes may have had the core meanwhile. */
const MAX_COUNTED_MS = 4
/** Of the latest call in the average. */
const WEIGHT = 1 / 8
const LOOK_AGAIN_MS = 1000
/** Larger files are read and written beside everything else. A picture of 640 × 480 is a third of this. */
export const MAX_QUICK_BYTES = 2 ** 20

let averageMs = 0
let slowUntil = -Infinity

/** The result of `call`, made at once; undefined if the disk was slow lately and the call was not made. */
export function quickly<Result>(call: () => Result): Result | undefined {
  const started = performance.now()
  if (started < slowUntil) return undefined
  try {
    return call()
  } finally {
    const ended = performance.now()
    averageMs += (Math.min(ended - started, MAX_COUNTED_MS) - averageMs) * WEIGHT
    if (averageMs > SLOW_MS) {
      averageMs = 0
      slowUntil = ended + LOOK_AGAIN_MS
    }
  }
}
