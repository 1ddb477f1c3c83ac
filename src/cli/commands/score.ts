/** `sightline score`: rescores recorded outcomes without calling a model. */
import { score as scoreRun } from '../../library/results.ts'
import { tablesToFit } from '../results/tables.ts'
import { plural } from '../../base/plural.ts'
import { print, say } from '../terminal/output.ts'
import { type StoredOptions, storeOptions } from '../options/stored.ts'

interface ScoreOptions extends StoredOptions {
  profile?: string
  source?: string
  json?: boolean
}

export async function score(run: string, options: ScoreOptions): Promise<void> {
  const { profile, source } = options
  const { episodes, report } = await scoreRun(run, { ...(await storeOptions(options)), profile, source })
  say(`Scored ${plural(episodes, 'episode')} of ${report.run} with profile ${report.profile}.`)
  print(
    options.json
      ? JSON.stringify(report, null, 2)
      : tablesToFit([report], { command: `\`sightline report ${report.run}\`` }),
  )
}
