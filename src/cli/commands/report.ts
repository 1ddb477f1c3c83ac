/** `sightline report` */
import { extname } from 'node:path'
import { publishedResults, report as reportRun, sharedReports } from '../../library/results.ts'
import { type RenderOptions, type ReportFormat, renderReports } from '../../report/render/index.ts'
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
  metrics?: string[]
  by?: string[]
  /** All rows and intervals. */
  all?: boolean
  shared?: boolean
  rows?: 'models' | 'metrics'
  intervals?: 'all' | 'headline' | 'none'
  caption?: string
  label?: string
  wide?: boolean
  published?: boolean
}

export async function report(runs: readonly string[], options: ReportOptions): Promise<void> {
  const by = options.by?.flatMap((labels) => labels.split(','))
  const where = { ...(await storeOptions(options)), profile: options.profile, by, metrics: options.metrics }
  const reports = options.shared ? await sharedReports(runs, where) : []
  if (!options.shared) for (const run of runs) reports.push(await reportRun(run, where))
  const { output } = options
  const format = output === undefined || options.formatGiven ? options.format : formatByExtension(extname(output))
  // Loaded for pages alone: it takes longer than the other formats.
  const figures = format === 'html' ? (await import('../../report/figures/draw/page.ts')).figuresOfPage : undefined
  const table = {
    ...tableOptions(options),
    ...(figures && { figures }),
    ...(options.published && { published: await publishedResults(runs, where) }),
  }
  if (output === undefined) {
    const { all } = options
    print(format === 'table' ? tablesToFit(reports, { all }, table) : renderReports(reports, format, table))
    return
  }
  await checkWritable(output)
  await writeOutput(output, renderReports(reports, format, table))
}

/** Only the options that were given. */
function tableOptions({ metrics, all, rows, intervals, caption, label, wide }: ReportOptions): RenderOptions {
  return {
    ...(metrics && { metrics }),
    ...(all && { all }),
    ...(rows && { rows }),
    ...(intervals && { intervals }),
    ...(caption !== undefined && { caption }),
    ...(label !== undefined && { label }),
    ...(wide && { isWide: true }),
  }
}
