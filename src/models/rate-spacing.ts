/** Converts rates per minute into the minimum spacing between requests or tokens. */

const MINUTE_MS = 60_000
/** Bursts may use up to one second's worth of the rate. */
const BURST_MS = 1000
/** Slack for clocks with millisecond resolution and inexact sums of fractions. */
const ROUNDING_MS = 1

/** Each unit pushes the next slot back by `intervalMs`; a request may start when that slot is at most `burstMs` away. */
export interface RateSpacing {
  intervalMs: number
  burstMs: number
}

/** Spacing that keeps every sliding one-minute window within the rate, bursts included. */
export function spacingFor(perMinute: number | null): RateSpacing {
  if (perMinute === null) return { intervalMs: 0, burstMs: 0 }
  return { intervalMs: (MINUTE_MS + BURST_MS + ROUNDING_MS) / perMinute, burstMs: BURST_MS }
}
