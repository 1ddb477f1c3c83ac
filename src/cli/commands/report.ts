/** `sightline report` */
import { extname } from 'node:path'
import { makeReport } from '../../engine/reporting.ts'
import { type ReportFormat, renderReports } from '../../report/render.ts'
import { Store } from '../../store/store.ts'
import { suiteOf } from '../../suites/suite-of.ts'
import { formatByEnding } from '../formats.ts'
import { print } from '../output.ts'
import { tablesToFit } from '../tables.ts'
import { checkWritable, writeAsked } from '../written-file.ts'

interface ReportOptions {
  format: ReportFormat
  formatGiven: boolean
  profile?: string
  output?: string
  logDir: string
}

export async function report(runs: readonly string[], options: ReportOptions): Promise<void> {
  const store = await Store.open(options.logDir)
  const reports = []
  for (const run of runs) {
    const reader = await store.openRun(run)
    reports.push(await makeReport(reader, await suiteOf(reader), options.profile))
  }
  if (options.output === undefined) {
    print(options.format === 'table' ? tablesToFit(reports) : renderReports(reports, options.format))
    return
  }
  const format = options.formatGiven ? options.format : formatByEnding(extname(options.output))
  await checkWritable(options.output)
  await writeAsked(options.output, renderReports(reports, format))
}
