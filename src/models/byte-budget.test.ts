import { setMaxListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { Random } from '../base/random.ts'
import { BudgetExceeded, ByteBudget } from './byte-budget.ts'

const never = new AbortController().signal
setMaxListeners(0, never)

/** Whether a promise is settled after everything that can happen without outside help. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending')
  await new Promise((resolve) => setImmediate(resolve))
  return (await Promise.race([promise.catch(() => undefined), Promise.resolve(pending)])) === pending
}

describe('a budget of bytes', () => {
  it('lets what does not fit wait until another holder is done', async () => {
    const budget = new ByteBudget(100)
    const [first, second] = [budget.hold(), budget.hold()]
    await first.take(70, never)
    await second.take(20, never)
    let waits = 0
    const more = second.take(40, never, () => (waits += 1))
    expect(await isPending(more)).toBe(true)
    expect(waits).toBe(1)
    first.release()
    await more
    expect(budget.bytes).toBe(60)
  })

  it('never lets the oldest holder wait, but gives it no more than the whole budget', async () => {
    const budget = new ByteBudget(100)
    const [first, second] = [budget.hold(), budget.hold()]
    await first.take(30, never)
    await second.take(70, never)
    await first.take(70, never)
    expect(budget.bytes).toBe(170)
    await expect(first.take(1, never)).rejects.toThrow(BudgetExceeded)
  })

  it('makes the next one the oldest', async () => {
    const budget = new ByteBudget(100)
    const [first, second, third] = [budget.hold(), budget.hold(), budget.hold()]
    await first.take(100, never)
    const [two, three] = [second.take(60, never), third.take(60, never)]
    first.release()
    await two
    expect(await isPending(three)).toBe(true)
    second.release()
    await three
  })

  it('forgets a holder that gave up', async () => {
    const budget = new ByteBudget(100)
    const [first, second] = [budget.hold(), budget.hold()]
    await first.take(100, never)
    const stop = new AbortController()
    const waiting = second.take(10, stop.signal)
    stop.abort(new Error('stopped'))
    await expect(waiting).rejects.toThrow('stopped')
    second.release()
    first.release()
    expect(budget.bytes).toBe(0)
  })

  it('lets every one of many readers finish, and stays within twice its size', async () => {
    const random = new Random('readers')
    const budget = new ByteBudget(1000)
    let most = 0
    const read = async (): Promise<void> => {
      const held = budget.hold()
      const chunks = random.between(1, 60)
      for (let i = 0; i < chunks; i++) {
        await held.take(random.between(1, 16), never)
        most = Math.max(most, budget.bytes)
        await new Promise((resolve) => setImmediate(resolve))
      }
      held.release()
    }
    await Promise.all(Array.from({ length: 200 }, read))
    expect(budget.bytes).toBe(0)
    expect(most).toBeGreaterThan(900)
    expect(most).toBeLessThanOrEqual(2000)
  })
})
