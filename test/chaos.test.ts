import { expect, it } from 'vitest'
import { chaos } from './chaos/chaos.ts'

it(
  'survives kill -9: no lost or duplicate episodes, no reply paid twice, the same report',
  { timeout: 240_000 },
  async () => {
    const result = await chaos({ kills: 4, samples: 24, seed: 'test', slowestReplyMs: 60, log: () => undefined })
    expect(result.problems).toEqual([])
    expect(result.kills).toBe(4)
  },
)
