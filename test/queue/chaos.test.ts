import { expect, it } from 'vitest'
import { POSTGRES, REDIS, reportMissingServers, startPostgres, startRedis } from '../support/engine/queue.ts'
import { playersUrl } from '../support/engine/queue-faults.ts'
import { type ClusterChaos, clusterChaos } from './chaos.ts'
import { TROUBLES } from './troubles.ts'

reportMissingServers()
const named = (kind: 'redis' | 'postgres', name: string): ClusterChaos['fault'] =>
  TROUBLES[kind].find((trouble) => trouble.name.includes(name))!

/** A selection of `npm run chaos:cluster`. */
it.each<['redis' | 'postgres', string, ClusterChaos['fault']]>([
  ['redis', 'killed workers', { kill: 'worker', times: 3 }],
  ['redis', 'a stopped coordinator', named('redis', 'SIGSTOP')],
  ['postgres', 'a killed coordinator', { kill: 'coordinator', times: 1 }],
])('a run on %s survives %s', { timeout: 600_000 }, async (kind, _, fault) => {
  if ((kind === 'redis' ? REDIS : POSTGRES) === null) return
  const server = await (kind === 'redis' ? startRedis() : startPostgres())
  try {
    const result = await clusterChaos({
      server,
      url: await playersUrl(server),
      fault,
      workers: 2,
      samples: 8,
      leaseSeconds: 'kill' in fault ? 2 : 5,
      seed: 'test',
      slowestReplyMs: 60,
      log: () => undefined,
    })
    expect(result.problems).toEqual([])
  } finally {
    await server.stop()
  }
})
