/** `npm run chaos [-- --kills N --seed WORD --trials vbench]`: kills local runs and scoring, and prints tables. */
import { parseArgs } from 'node:util'
import { chaos } from './chaos.ts'
import { type Outcome, printTable } from './trial.ts'
import { scoreChaos } from './vbench.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: 'chaos' },
    trials: { type: 'string', default: 'run,resume,batch,vbench' },
    videos: { type: 'string', default: '500' },
  },
})
const kills = Number(values.kills)
const outcomes: Outcome[] = []
const trials = values.trials.split(',')
const log = (line: string): void => console.log(line)
for (const trial of ['run', 'resume', 'batch'] as const) {
  if (!trials.includes(trial)) continue
  const outcome = await chaos({ trial, kills, samples: 3 * kills, seed: values.seed, slowestReplyMs: 60, log })
  outcomes.push(outcome)
  console.log(JSON.stringify(outcome))
}
if (outcomes.length > 0) printTable(outcomes)
let isGood = outcomes.every(({ problems }) => problems.length === 0)
if (trials.includes('vbench')) {
  const { problems, atKills, ...outcome } = await scoreChaos({ ...values, videos: Number(values.videos), kills, log })
  console.log(JSON.stringify({ ...outcome, atKills, problems }))
  console.table([{ ...outcome, problems: problems.length }])
  for (const problem of problems) console.log(`PROBLEM: vbench: ${problem}`)
  isGood &&= problems.length === 0
}
process.exit(isGood ? 0 : 1)
