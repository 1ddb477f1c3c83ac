/** `npm run chaos [-- --kills N --seed WORD]` */
import { parseArgs } from 'node:util'
import { chaos } from './chaos.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: 'chaos' },
    samples: { type: 'string' },
  },
})
const kills = Number(values.kills)
const result = await chaos({
  kills,
  samples: Number(values.samples ?? kills * 8),
  seed: values.seed,
  slowestReplyMs: 60,
  log: (line) => console.log(line),
})
console.log(`\nKills: ${result.kills}, episodes: ${result.episodes}, replies: ${result.replies}`)
for (const problem of result.problems) console.log(`PROBLEM: ${problem}`)
console.log(
  result.problems.length === 0
    ? 'No lost or duplicate episodes, the same report.'
    : `Problems: ${result.problems.length}`,
)
process.exit(result.problems.length === 0 ? 0 : 1)
