import { type CsvCell, csvLine } from '../csv.ts'
import type { Report } from '../report.ts'

const HEADINGS = [
  'run',
  'suite',
  'suite_version',
  'profile',
  'player',
  'section',
  'key',
  'title',
  'unit',
  'better',
  'value',
  'low',
  'high',
  'n',
  'chance',
  'constant',
  'ceiling',
  'blind',
  'coverage',
  'clusters',
  'fingerprint',
]

/** One record a number and run, unrounded: shares of 1 stay shares of 1. */
export function renderCsv(reports: readonly Report[]): string {
  let csv = csvLine(HEADINGS)
  for (const report of reports) {
    const start = [report.run, report.suite, report.suiteVersion, report.profile, report.models['player']]
    const end = [report.coverage, report.clusters, report.fingerprint.hash]
    const record = (cells: readonly CsvCell[]): string => csvLine([...start, ...cells, ...end])
    for (const row of report.rows) {
      const [low, high] = row.interval ?? [null, null]
      const about = [row.section, row.key, row.title, row.unit, row.better]
      csv += record([...about, row.value, low, high, row.n, row.chance, row.constant, row.ceiling, row.blind])
    }
    for (const pass of report.passes?.rows ?? []) {
      const line = (sign: string, value: number | null, interval: [number, number] | null): string => {
        const name = `pass${sign}${pass.k}`
        const [low, high] = interval ?? [null, null]
        return record([
          'Repeats',
          name,
          name,
          'percent',
          'higher',
          value,
          low,
          high,
          pass.cases,
          null,
          null,
          null,
          null,
        ])
      }
      csv += line('@', pass.any, pass.anyInterval) + line('^', pass.all, pass.allInterval)
    }
  }
  return csv
}
