import { describe, expect, it, vi } from 'vitest'
import { type Clock, realClock } from './clock.ts'
import { LocalRateLimiter } from './rate-limiter.ts'

/** A clock that only advances by sleeping. */
function sleepClock(): Clock & { ms: number } {
  const clock = {
    ...realClock,
    ms: 1_000_000,
    now: () => clock.ms,
    random: () => 0.5,
    async sleep(ms: number, signal: AbortSignal) {
      signal.throwIfAborted()
      clock.ms += ms
    },
  }
  return clock
}

const never = new AbortController().signal

function maxPerMinute(moments: readonly number[]): number {
  return Math.max(...moments.map((from) => moments.filter((at) => at >= from && at < from + 60_000).length))
}

describe('LocalRateLimiter', () => {
  it.each([1, 2, 10, 60, 1000])('allows up to %i requests in any minute', async (perMinute) => {
    const clock = sleepClock()
    const rateLimiter = new LocalRateLimiter({ requestsPerMinute: perMinute, tokensPerMinute: null }, clock)
    const moments: number[] = []
    const began = clock.ms
    for (let i = 0; i < perMinute * 3; i++) {
      const slot = await rateLimiter.acquire(never)
      moments.push(clock.ms)
      slot.release(0)
    }
    expect(maxPerMinute(moments)).toBeLessThanOrEqual(perMinute)
    expect((clock.ms - began) / 60_000).toBeLessThan(3.2)
  })

  it('keeps the token rate although replies vary in length', async () => {
    const clock = sleepClock()
    const rateLimiter = new LocalRateLimiter({ requestsPerMinute: null, tokensPerMinute: 10_000 }, clock)
    const began = clock.ms
    let used = 0
    for (let i = 0; i < 100; i++) {
      const slot = await rateLimiter.acquire(never)
      const tokens = i % 2 === 0 ? 100 : 900
      used += tokens
      slot.release(tokens)
    }
    const minutes = (clock.ms - began) / 60_000
    expect(used / minutes).toBeLessThan(10_000 * 1.05)
    expect(used / minutes).toBeGreaterThan(10_000 * 0.9)
  })

  it.each([-3_600_000, 3_600_000])('waits as long as ever if the system clock is set by %i ms', async (jump) => {
    const slept = async (jumps: boolean): Promise<number> => {
      let ms = 0
      const sleep = (wanted: number): Promise<void> => {
        ms += wanted
        return Promise.resolve()
      }
      const clock = { ...realClock, now: () => realClock.now() + ms, sleep }
      const rateLimiter = new LocalRateLimiter({ requestsPerMinute: 60, tokensPerMinute: null }, clock)
      const now = Date.now()
      const system = vi.spyOn(Date, 'now').mockReturnValue(now)
      for (let i = 0; i < 120; i++) {
        if (jumps && i === 60) system.mockReturnValue(now + jump)
        ;(await rateLimiter.acquire(never)).release(0)
      }
      system.mockRestore()
      return ms
    }
    expect(await slept(true)).toBeCloseTo(await slept(false), -4)
  })

  it('stops waiting when aborted', async () => {
    const clock = sleepClock()
    const rateLimiter = new LocalRateLimiter({ requestsPerMinute: 1, tokensPerMinute: null }, clock)
    await rateLimiter.acquire(never)
    const stop = new AbortController()
    stop.abort(new Error('stopped'))
    await expect(rateLimiter.acquire(stop.signal)).rejects.toThrow('stopped')
    // The aborted request does not block others.
    await expect(rateLimiter.acquire(never)).resolves.toBeTruthy()
  })
})
