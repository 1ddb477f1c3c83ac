import { setImmediate as tick } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Clock, realClock } from './clock.ts'
import { type Lease, Limiter } from './limiter.ts'

const never = new AbortController().signal

/** A clock that only moves when advanced. */
function manualClock() {
  let now = 0
  const sleepers: { until: number; wake: () => void }[] = []
  const clock: Clock = {
    ...realClock,
    now: () => now,
    random: () => 0,
    sleep: (ms) =>
      new Promise((resolve) => {
        sleepers.push({ until: now + ms, wake: resolve })
      }),
  }
  return {
    clock,
    advance: async (ms: number) => {
      now += ms
      for (const sleeper of sleepers.splice(0)) {
        if (sleeper.until <= now) sleeper.wake()
        else sleepers.push(sleeper)
      }
      await tick()
    },
  }
}

function adaptive(more: { start?: number; max?: number; fixed?: number } = {}) {
  const { clock, advance } = manualClock()
  const limiter = new Limiter({ start: 4, max: 64, ...more }, clock)
  /** Acquires leases up to the limit. */
  const fill = async (): Promise<Lease[]> => {
    const leases: Lease[] = []
    while (limiter.inFlight < limiter.limit) leases.push(await limiter.acquire(limiter.ticket(), never))
    return leases
  }
  return { limiter, fill, advance }
}

describe('Limiter', () => {
  it('doubles every round until the first cut, then grows by one per round', async () => {
    const { limiter, fill } = adaptive()
    const limits = [limiter.limit]
    for (let round = 0; round < 3; round++) {
      for (const lease of await fill()) lease.release('ok')
      limits.push(limiter.limit)
    }
    expect(limits).toEqual([4, 8, 16, 32])
    const [first, ...others] = await fill()
    first!.release('overload')
    expect(limiter.limit).toBe(16)
    for (const lease of others) lease.release('ok')
    expect(limiter.limit).toBe(16)
    for (let round = 0; round < 3; round++) for (const lease of await fill()) lease.release('ok')
    expect(limiter.limit).toBe(19)
  })

  it('cuts once per incident, and again for the next one', async () => {
    const { limiter, fill } = adaptive({ start: 32 })
    const burst = await fill()
    for (const lease of burst) lease.release('overload')
    expect({ limit: limiter.limit, cuts: limiter.cuts }).toEqual({ limit: 16, cuts: 1 })
    const next = await fill()
    for (const lease of next) lease.release('overload')
    expect({ limit: limiter.limit, cuts: limiter.cuts }).toEqual({ limit: 8, cuts: 2 })
  })

  it('stays between 1 and its maximum', async () => {
    const { limiter, fill } = adaptive({ max: 6 })
    for (let i = 0; i < 5; i++) for (const lease of await fill()) lease.release('ok')
    expect(limiter.limit).toBe(6)
    for (let i = 0; i < 9; i++) for (const lease of await fill()) lease.release('overload')
    expect(limiter.limit).toBe(1)
  })

  it('does not grow while it is underused', async () => {
    const { limiter } = adaptive({ start: 8 })
    for (let i = 0; i < 100; i++) (await limiter.acquire(limiter.ticket(), never)).release('ok')
    expect(limiter.limit).toBe(8)
  })

  it('does not change when fixed', async () => {
    const { limiter, fill } = adaptive({ fixed: 3 })
    for (let i = 0; i < 5; i++) for (const lease of await fill()) lease.release('ok')
    for (const lease of await fill()) lease.release('overload')
    expect(limiter.limit).toBe(3)
  })

  it('pauses all requests for the Retry-After time', async () => {
    const { limiter, advance } = adaptive()
    const lease = await limiter.acquire(limiter.ticket(), never)
    lease.release('overload', 5000)
    let admitted = 0
    for (let i = 0; i < 2; i++) void limiter.acquire(limiter.ticket(), never).then(() => (admitted += 1))
    await advance(4999)
    expect(admitted).toBe(0)
    await advance(1)
    expect(admitted).toBe(2)
  })

  it('serves requests in order of arrival, and a retry keeps its place', async () => {
    const { limiter } = adaptive({ fixed: 1 })
    const order: string[] = []
    const retried = limiter.ticket()
    const running = await limiter.acquire(limiter.ticket(), never)
    const join = async (name: string, ticket: number) => {
      const lease = await limiter.acquire(ticket, never)
      order.push(name)
      lease.release('ok')
    }
    const all = [join('a', limiter.ticket()), join('b', limiter.ticket()), join('retry', retried)]
    running.release('ok')
    await Promise.all(all)
    expect(order).toEqual(['retry', 'a', 'b'])
  })

  it('removes an aborted request from the queue and admits those behind it', async () => {
    const { limiter } = adaptive({ fixed: 1 })
    const running = await limiter.acquire(limiter.ticket(), never)
    const controller = new AbortController()
    const aborted = limiter.acquire(limiter.ticket(), controller.signal)
    const next = limiter.acquire(limiter.ticket(), never)
    controller.abort(new Error('stop it'))
    await expect(aborted).rejects.toThrow('stop it')
    running.release('ok')
    const lease = await next
    expect(limiter.inFlight).toBe(1)
    lease.release('ok')
    lease.release('ok')
    expect(limiter.inFlight).toBe(0)
  })
})
