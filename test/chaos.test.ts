import { expect, it } from 'vitest'
import { chaos } from './chaos/chaos.ts'

it.each(['resume', 'batch'] as const)(
  'survives kill -9 (%s): nothing lost, nothing paid twice but what was in flight, the same reports',
  { timeout: 240_000 },
  async (trial) => {
    const result = await chaos({ trial, kills: 2, samples: 6, seed: 'test', slowestReplyMs: 60, log: () => undefined })
    expect(result.problems).toEqual([])
    expect(result.faults).toBe(2)
  },
)
