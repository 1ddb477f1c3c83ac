import type { Report, ReportRow } from '../../../../src/report/report.ts'

export function headlineOf({ rows, headline }: Report): ReportRow | undefined {
  return rows.find(({ key }) => key === headline)
}
