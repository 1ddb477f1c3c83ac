/** When to try again, and after how long. */

/** The first wait is drawn from [0, 1 s), the next from [0, 2 s), and so on up to [0, 60 s). */
const FIRST_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 60_000

/** A server that asks for more patience than this is told no: the episode fails now and says why. */
export const MAX_RETRY_AFTER_MS = 600_000

/**
 * Full jitter: uniform between nothing and the exponential bound, so that requests which failed together do not come
 * back together. What the server asked for is waited for in full, with up to a second of jitter on top.
 */
export function backoffMs(attempt: number, retryAfterMs: number | undefined, random: () => number): number {
  if (retryAfterMs !== undefined) return retryAfterMs + random() * FIRST_BACKOFF_MS
  return random() * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1))
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * How long the server asks us to wait: `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), `retry-after-ms` of
 * OpenAI and Azure, or `retryDelay` in the body of a Google error.
 */
export function retryAfterMs(headers: Headers, body: string, now: number): number | undefined {
  const inMs = Number.parseFloat(single(headers['retry-after-ms']) ?? '')
  if (inMs >= 0) return inMs
  const value = single(headers['retry-after'])?.trim()
  if (value !== undefined && value !== '') {
    if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000
    // An HTTP date starts with the day of the week; `Date.parse` alone would take `-5` for one.
    const date = /^[A-Za-z]{3}/.test(value) ? Date.parse(value) : Number.NaN
    if (!Number.isNaN(date)) return Math.max(0, date - now)
  }
  const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)
  return delay ? Number(delay[1]) * 1000 : undefined
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
