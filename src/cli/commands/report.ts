/** `sightline report` */
import { extname } from 'node:path'
import { report as reportRun, sharedReports } from '../../library/results.ts'
import { type ReportFormat, renderReports } from '../../report/render/index.ts'
import { formatByExtension } from '../results/formats.ts'
import { print } from '../terminal/output.ts'
import { type StoredOptions, storeOptions } from '../options/stored.ts'
import { tablesToFit } from '../results/tables.ts'
import { checkWritable, writeOutput } from '../results/output-file.ts'

interface ReportOptions extends StoredOptions {
  format: ReportFormat
  formatGiven: boolean
  profile?: string
  output?: string
  /** All rows and intervals. */
  all?: boolean
  shared?: boolean
}

export async function report(runs: readonly string[], options: ReportOptions): Promise<void> {
  const where = { ...(await storeOptions(options)), profile: options.profile }
  const reports = options.shared ? await sharedReports(runs, where) : []
  if (!options.shared) for (const run of runs) reports.push(await reportRun(run, where))
  if (options.output === undefined) {
    const { format, all } = options
    print(format === 'table' ? tablesToFit(reports, { all }) : renderReports(reports, format))
    return
  }
  const format = options.formatGiven ? options.format : formatByExtension(extname(options.output))
  await checkWritable(options.output)
  await writeOutput(options.output, renderReports(reports, format))
}
