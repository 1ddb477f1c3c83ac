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
  { name: 'Redis', isInstalled: REDIS !== null, start: () => startRedis(), samples: 200, killsCoordinator: false },
  {
    name: 'PostgreSQL',
    isInstalled: POSTGRES !== null,
    start: () => startPostgres(),
    samples: 40,
    killsCoordinator: true,
  },
])('a run on $name', ({ isInstalled, start, samples, killsCoordinator }) => {
  let server: TestServer
  beforeAll(async () => {
    if (isInstalled) server = await start()
  }, 60_000)
  afterAll(async () => server?.stop())

  it.skipIf(!isInstalled)(
    'survives killed workers and a restarted server: no lost or duplicate episodes, the same report',
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
