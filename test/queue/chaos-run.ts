/** `npm run chaos:cluster [-- --queue redis --kills N --only WORD]`: every trouble of a queue, and a table of the results. */
import { parseArgs } from 'node:util'
import { type Outcome, printTable } from '../chaos/trial.ts'
import { POSTGRES, REDIS, reportMissingServers, startPostgres, startRedis } from '../support/engine/queue.ts'
import { playersUrl } from '../support/engine/queue-faults.ts'
import { type ClusterChaos, clusterChaos } from './chaos.ts'
import { TROUBLES } from './troubles.ts'

const { values } = parseArgs({
  options: {
    queue: { type: 'string', default: 'redis,postgres' },
    kills: { type: 'string', default: '20' },
    workers: { type: 'string', default: '3' },
    seed: { type: 'string', default: 'chaos' },
    /** Only troubles whose names contain this. */
    only: { type: 'string', default: '' },
  },
})
/** Megabytes that a full disk has, enough for an undisturbed run. */
const DISKS = { redis: 16, postgres: 160 }

reportMissingServers()
const kills = Number(values.kills)
const outcomes: Outcome[] = []
for (const kind of ['redis', 'postgres'] as const) {
  if (!values.queue.split(',').includes(kind) || (kind === 'redis' ? REDIS : POSTGRES) === null) continue
  const faults: ClusterChaos['fault'][] = [
    { kill: 'worker', times: kills },
    { kill: 'coordinator', times: kills },
    ...TROUBLES[kind],
  ]
  for (const fault of faults) {
    const name = 'kill' in fault ? `kill -9 ${fault.kill}` : fault.name
    if (!name.includes(values.only)) continue
    const disk = 'ownDisk' in fault ? { disk: DISKS[kind] } : {}
    const server = await (kind === 'redis' ? startRedis(disk) : startPostgres(disk))
    try {
      const outcome = await clusterChaos({
        server,
        url: await playersUrl(server),
        fault,
        workers: Number(values.workers),
        samples: 'kill' in fault ? 4 * kills : 20,
        // A fault of the server may last for two leases; a killed worker is replaced after one.
        leaseSeconds: 'kill' in fault ? 2 : 5,
        seed: values.seed,
        slowestReplyMs: 60,
        log: (line) => console.log(`${kind}: ${line}`),
      })
      outcomes.push(outcome)
      console.log(JSON.stringify(outcome))
    } finally {
      await server.stop()
    }
  }
}
printTable(outcomes)
process.exit(outcomes.every(({ problems }) => problems.length === 0) ? 0 : 1)
