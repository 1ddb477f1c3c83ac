import { csvLine } from '../csv.ts'
import { passRows, type Report } from '../report.ts'

const HEADER =
  'run,suite,suite_version,profile,player,section,key,title,unit,better,value,low,high,n,chance,constant,ceiling,blind,coverage,clusters,fingerprint\r\n'

/** One record per run and score, unrounded; percentages as fractions of 1. */
export function renderCsv(reports: readonly Report[]): string {
  let csv = HEADER
  for (const report of reports) {
    const start = [report.run, report.suite, report.suiteVersion, report.profile, report.models['player']]
    const end = [report.coverage, report.clusters, report.fingerprint.hash]
    for (const row of [...report.rows, ...passRows(report)]) {
      const [low, high] = row.interval ?? [null, null]
      const about = [row.section, row.key, row.title, row.unit, row.better]
      const numbers = [row.value, low, high, row.n, row.chance, row.constant, row.ceiling, row.blind]
      csv += csvLine([...start, ...about, ...numbers, ...end])
    }
  }
  return csv
}
