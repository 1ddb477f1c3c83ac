/** Rates as spacings: how far apart requests, or tokens, must be so that no minute has more than allowed. */

const MINUTE_MS = 60_000
/** So much of a rate may be used at once: a second's worth. */
const BURST_MS = 1000

/** A rate as a spacing: each unit moves the next moment on by `intervalMs`; one may go when that is `burstMs` away. */
export interface Pace {
  intervalMs: number
  burstMs: number
}

const NO_PACE: Pace = { intervalMs: 0, burstMs: 0 }

/** Spaced so that no minute, wherever it begins, has more requests than that. */
export function requestPace(perMinute: number | null): Pace {
  if (perMinute === null) return NO_PACE
  return { intervalMs: (MINUTE_MS + BURST_MS) / Math.max(1, perMinute - 1), burstMs: perMinute > 1 ? BURST_MS : 0 }
}

export function tokenPace(perMinute: number | null): Pace {
  if (perMinute === null) return NO_PACE
  return { intervalMs: (MINUTE_MS + BURST_MS) / perMinute, burstMs: BURST_MS }
}
