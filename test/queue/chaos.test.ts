import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  POSTGRES,
  REDIS,
  sayWhatIsMissing,
  startPostgres,
  startRedis,
  type TestServer,
} from '../support/engine/queue.ts'
import { clusterChaos } from './chaos.ts'

sayWhatIsMissing()

describe.each([
  { name: 'Redis', isThere: REDIS !== null, start: () => startRedis(), samples: 200, killsCoordinator: false },
  { name: 'PostgreSQL', isThere: POSTGRES !== null, start: () => startPostgres(), samples: 40, killsCoordinator: true },
])('a cluster on $name under fire', ({ isThere, start, samples, killsCoordinator }) => {
  let server: TestServer
  beforeAll(async () => {
    if (isThere) server = await start()
  }, 60_000)
  afterAll(async () => server?.stop())

  it.skipIf(!isThere)(
    'workers are killed, the server is killed: nothing lost, nothing twice, the same report',
    { timeout: 1_200_000 },
    async () => {
      const result = await clusterChaos({
        server,
        samples,
        workers: 4,
        killEveryMs: 1000,
        leaseSeconds: 2,
        killsCoordinator,
        seed: 'test',
        slowestReplyMs: 60,
        log: () => undefined,
      })
      expect(result.problems).toEqual([])
      expect(result.workersKilled).toBeGreaterThan(2)
      expect(result.serverRestarts).toBe(1)
    },
  )
})
