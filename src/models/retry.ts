/** Backoff between retries. */

/** The first delay is drawn from [0, 1 s), the next from [0, 2 s), and so on up to [0, 60 s). */
const FIRST_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 60_000

/** If the server asks for a longer wait, the episode fails immediately instead. */
export const MAX_RETRY_AFTER_MS = 600_000

/**
 * Full jitter: uniform between zero and the exponential bound, so requests that failed together are not retried
 * together. A `Retry-After` is honored in full, with up to a second of jitter on top.
 */
export function backoffMs(attempt: number, retryAfterMs: number | undefined, random: () => number): number {
  if (retryAfterMs !== undefined) return retryAfterMs + random() * FIRST_BACKOFF_MS
  return random() * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1))
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * How long the server asks clients to wait: `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), `retry-after-ms`
 * from OpenAI and Azure, or `retryDelay` in the body of a Google error. A date counts from the server's own `Date`, so
 * neither clock has to be right.
 */
export function retryAfterMs(headers: Headers, body: string, now: number): number | undefined {
  const inMs = Number.parseFloat(single(headers['retry-after-ms']) ?? '')
  if (inMs >= 0) return inMs
  const value = single(headers['retry-after'])?.trim()
  if (value !== undefined && value !== '') {
    if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000
    // An HTTP date starts with the day of the week; `Date.parse` alone would accept `-5`.
    const date = /^[A-Za-z]{3}/.test(value) ? Date.parse(value) : Number.NaN
    const sent = Date.parse(single(headers.date) ?? '')
    if (!Number.isNaN(date)) return Math.max(0, date - (Number.isNaN(sent) ? now : sent))
  }
  const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)
  return delay ? Number(delay[1]) * 1000 : undefined
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
