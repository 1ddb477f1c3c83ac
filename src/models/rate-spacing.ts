/** Rates as spacings: how far apart requests, or tokens, must be so that no minute has more than allowed. */

const MINUTE_MS = 60_000
/** So much of a rate may be used at once: a second's worth. */
const BURST_MS = 1000
/** Clocks count in milliseconds, and sums of fractions are not exact. */
const ROUNDING_MS = 1

/** Each unit moves the next moment on by `intervalMs`; one may go when that moment is at most `burstMs` away. */
export interface RateSpacing {
  intervalMs: number
  burstMs: number
}

/** Spaced so that no minute, wherever it begins, has more: what a burst takes early is made up for by the spacing. */
export function spacingFor(perMinute: number | null): RateSpacing {
  if (perMinute === null) return { intervalMs: 0, burstMs: 0 }
  return { intervalMs: (MINUTE_MS + BURST_MS + ROUNDING_MS) / perMinute, burstMs: BURST_MS }
}
