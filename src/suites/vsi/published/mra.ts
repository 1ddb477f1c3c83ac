/** Mean relative accuracy: the share of ten thresholds that a relative error stays within. */

/**
 * 1 − θ for the ten θ from 0.5 to 0.95, as doubles of the published evaluator. Written out because its formula yields ten
 * points only by rounding luck, and 45% and 20% come out slightly too low.
 */
export const OFFICIAL_LIMITS = [
  0.5, 0.44999999999999996, 0.4, 0.35, 0.30000000000000004, 0.25, 0.19999999999999996, 0.15000000000000002,
  0.10000000000000009, 0.050000000000000044,
] as const

/** `1 - (0.5 + 0.05 * i)`, which rounds differently at 15% and 10%. */
export const UPSTREAM_LIMITS = [
  0.5, 0.44999999999999996, 0.4, 0.35, 0.30000000000000004, 0.25, 0.19999999999999996, 0.1499999999999999,
  0.09999999999999998, 0.050000000000000044,
] as const

/** Share of limits that the error does not exceed. */
export function withinLimits(error: number): number {
  let within = 0
  for (const limit of OFFICIAL_LIMITS) if (error <= limit) within += 1
  return within / OFFICIAL_LIMITS.length
}

/** Share of limits that the error stays strictly below. */
export function belowLimits(error: number): number {
  let below = 0
  for (const limit of UPSTREAM_LIMITS) if (error < limit) below += 1
  return below / UPSTREAM_LIMITS.length
}
