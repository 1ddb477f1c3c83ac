import type { Report } from '../../report/report.ts'
import { renderReports } from '../../report/render/index.ts'

/** Reports side by side, as many per table as fit the terminal; all of them when there is no terminal. */
export function tablesToFit(reports: readonly Report[], columns = process.stdout.columns): string {
  const table = renderReports(reports, 'table')
  const width = Math.max(...table.split('\n').map((line) => line.length))
  // Long heading lines are fine: splitting only helps against too many columns.
  if (columns === undefined || reports.length === 1 || tableWidth(table, width) <= columns) return table
  const half = Math.ceil(reports.length / 2)
  return [tablesToFit(reports.slice(0, half), columns), tablesToFit(reports.slice(half), columns)].join('\n\n')
}

/** The width of the rule under the column names. */
function tableWidth(table: string, fallback: number): number {
  return /^─+$/m.exec(table)?.[0].length ?? fallback
}
