/** `npm run chaos:cluster [-- --queue redis --samples N --coordinator]`: chaos test of a queue on Redis and PostgreSQL. */
import { parseArgs } from 'node:util'
import { POSTGRES, REDIS, sayWhatIsMissing, startPostgres, startRedis } from '../support/engine/queue.ts'
import { clusterChaos } from './chaos.ts'

const { values } = parseArgs({
  options: {
    samples: { type: 'string', default: '200' },
    workers: { type: 'string', default: '4' },
    seed: { type: 'string', default: 'chaos' },
    queue: { type: 'string', default: 'redis,postgres' },
    coordinator: { type: 'boolean', default: false },
  },
})
sayWhatIsMissing()
let faults = 0
for (const name of values.queue.split(',')) {
  const start = name === 'redis' ? REDIS && startRedis : POSTGRES && startPostgres
  if (!start) continue
  const server = await start()
  try {
    const result = await clusterChaos({
      server,
      samples: Number(values.samples),
      workers: Number(values.workers),
      killEveryMs: 1000,
      leaseSeconds: 2,
      killsCoordinator: values.coordinator,
      seed: values.seed,
      slowestReplyMs: 60,
      log: (line) => console.log(`${name}: ${line}`),
    })
    console.log(
      `${name}: ${result.episodes} episodes, workers killed: ${result.workersKilled}, server restarts: ${result.serverRestarts}, ` +
        `replies: ${result.replies}, unique: ${result.unique}`,
    )
    for (const problem of result.problems) console.log(`PROBLEM: ${problem}`)
    faults += result.problems.length
  } finally {
    await server.stop()
  }
}
console.log(faults === 0 ? 'No lost or duplicate episodes, the same report.' : `Problems: ${faults}`)
process.exit(faults === 0 ? 0 : 1)
