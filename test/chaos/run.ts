/** `npm run chaos [-- --kills N --seed WORD]`: kills local runs, workers and coordinators, and prints a table. */
import { parseArgs } from 'node:util'
import { chaos } from './chaos.ts'
import { type Outcome, printTable } from './trial.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: 'chaos' },
    trials: { type: 'string', default: 'run,resume,batch' },
  },
})
const kills = Number(values.kills)
const outcomes: Outcome[] = []
for (const trial of ['run', 'resume', 'batch'] as const) {
  if (!values.trials.split(',').includes(trial)) continue
  const log = (line: string): void => console.log(line)
  const outcome = await chaos({ trial, kills, samples: 3 * kills, seed: values.seed, slowestReplyMs: 60, log })
  outcomes.push(outcome)
  console.log(JSON.stringify(outcome))
}
printTable(outcomes)
process.exit(outcomes.every(({ problems }) => problems.length === 0) ? 0 : 1)
