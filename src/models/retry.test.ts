import { describe, expect, it } from 'vitest'
import { httpFailure } from './providers/failure.ts'
import { backoffMs, retryAfterMs } from './retry.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')

describe('retryAfterMs', () => {
  it.each([
    [{ 'retry-after': '3' }, '', 3000],
    [{ 'retry-after': ' 0.5 ' }, '', 500],
    [{ 'retry-after': '0' }, '', 0],
    [{ 'retry-after': 'Sun, 01 Mar 2026 12:00:30 GMT' }, '', 30_000],
    [{ 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, '', 0],
    [{ 'retry-after': 'Sun, 01 Mar 2026 18:00:30 GMT', date: 'Sun, 01 Mar 2026 18:00:00 GMT' }, '', 30_000],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, '', 250],
    [{}, '{"error":{"details":[{"@type":"RetryInfo","retryDelay":"17.5s"}]}}', 17_500],
    [{ 'retry-after': 'soon' }, '', undefined],
    [{ 'retry-after': '-5' }, '', undefined],
    [{}, '', undefined],
  ])('%o %s', (headers, body, expected) => {
    expect(retryAfterMs(headers, body, NOW)).toBe(expected)
  })
})

describe('backoff', () => {
  it('is drawn from an interval that doubles up to a minute', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7, 8, 50].map((attempt) => backoffMs(attempt, undefined, () => 1))
    expect(longest).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
    expect(backoffMs(5, undefined, () => 0)).toBe(0)
  })

  it('is never shorter than Retry-After', () => {
    expect(backoffMs(1, 5000, () => 0)).toBe(5000)
    expect(backoffMs(1, 5000, () => 0.5)).toBe(5500)
  })
})

describe('httpFailure', () => {
  it.each([
    [400, 'bad-request', false, false],
    [401, 'auth', false, false],
    [402, 'auth', false, false],
    [403, 'auth', false, false],
    [404, 'bad-request', false, false],
    [408, 'timeout', true, false],
    [409, 'bad-request', true, false],
    [413, 'bad-request', false, false],
    [422, 'bad-request', false, false],
    [429, 'rate-limit', true, true],
    [500, 'server', true, false],
    [501, 'server', false, false],
    [502, 'server', true, false],
    [503, 'server', true, true],
    [504, 'server', true, false],
    [529, 'rate-limit', true, true],
  ])('%i is %s, retry: %s, overload: %s', (status, kind, retry, overload) => {
    expect(httpFailure(status, {}, '', NOW).failure).toMatchObject({ kind, retry, overload })
  })

  it('does not retry after an hour or without credit', () => {
    const anHour = httpFailure(429, { 'retry-after': '3600' }, '', NOW).failure
    expect(anHour).toMatchObject({ retry: false, message: 'HTTP 429 (retry after 60 minutes)' })
    const spent = httpFailure(429, {}, '{"error":{"message":"Quota","code":"insufficient_quota"}}', NOW).failure
    expect(spent).toMatchObject({ retry: false, overload: false, message: 'HTTP 429: Quota' })
  })

  it.each([
    ['{"error":{"message":"too long"}}', 'HTTP 400: too long'],
    ['{"error":"too long"}', 'HTTP 400: too long'],
    ['{"message":"too long"}', 'HTTP 400: too long'],
    ['{"detail":"too long"}', 'HTTP 400: too long'],
    ['[{"error":{"message":"too long"}}]', 'HTTP 400: too long'],
    ['<html>\n  Bad\n</html>', 'HTTP 400: <html> Bad </html>'],
    ['{"error":null}', 'HTTP 400: {"error":null}'],
    ['', 'HTTP 400'],
    [`${'['.repeat(20_000)}${']'.repeat(20_000)}`, `HTTP 400: ${'['.repeat(4096)}`],
  ])('reads the message in the body, %#', (body, message) => {
    expect(httpFailure(400, {}, body, NOW).failure.message).toBe(message)
  })
})
