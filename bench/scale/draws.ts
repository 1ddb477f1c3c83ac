/** `draws.ts EPISODES`: draws what a worker would, without a queue, when it is told to; prints how many per second. */
import { once } from 'node:events'
import { drawEpisode } from './suites.ts'

const WARM_UP = 10
const episodes = Number(process.argv[2])
for (let i = 0; i < WARM_UP; i++) drawEpisode()
console.log('ready')
await once(process.stdin, 'data')
const start = performance.now()
for (let i = 0; i < episodes; i++) drawEpisode()
console.log((episodes * 1000) / (performance.now() - start))
process.exit(0)
