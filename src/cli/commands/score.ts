/** `sightline score`: the same outcomes under another profile, no model asked. */
import { UserError } from '../../base/errors.ts'
import { IMPORTED_PREFIX } from '../../engine/imported.ts'
import { makeReport } from '../../engine/reporting.ts'
import { scoreAgain } from '../../engine/rescore.ts'
import { profileOf } from '../../engine/plan.ts'
import { renderReports } from '../../report/render.ts'
import { Store } from '../../store/store.ts'
import { suiteOf } from '../../suites/suite-of.ts'
import { print, say } from '../output.ts'

interface ScoreOptions {
  profile?: string
  source?: string
  json?: boolean
  logDir: string
}

export async function score(run: string, options: ScoreOptions): Promise<void> {
  const store = await Store.open(options.logDir)
  const reader = await store.openRun(run)
  if (reader.header.suite.startsWith(IMPORTED_PREFIX)) {
    throw new UserError(`Run ${reader.header.id} was played by another tool; it keeps the scores of that tool.`, {
      hint: '`sightline report` and `sightline compare` take it as it is.',
    })
  }
  const suite = await suiteOf(reader)
  const profile = profileOf(suite, options.profile ?? reader.header.profile)
  const rows = await scoreAgain(reader, suite, profile, options.source)
  say(`Scored ${rows.length} episodes of ${reader.header.id} under profile ${profile}.`)
  const report = await makeReport(reader, suite, profile)
  print(options.json ? JSON.stringify(report, null, 2) : renderReports([report], 'table'))
}
