import type { Report } from '../../report/report.ts'
import { renderReports } from '../../report/render/index.ts'

/** Reports side by side, as many in a row as the terminal is wide; where there is no terminal, all of them. */
export function tablesToFit(reports: readonly Report[], columns = process.stdout.columns): string {
  const table = renderReports(reports, 'table')
  const width = Math.max(...table.split('\n').map((line) => line.length))
  // The heading lines of a single run may be long; only columns can be moved to another table.
  if (columns === undefined || reports.length === 1 || tableWidth(table, width) <= columns) return table
  const half = Math.ceil(reports.length / 2)
  return [tablesToFit(reports.slice(0, half), columns), tablesToFit(reports.slice(half), columns)].join('\n\n')
}

/** How wide the rule under the column names is. */
function tableWidth(table: string, otherwise: number): number {
  return /^─+$/m.exec(table)?.[0].length ?? otherwise
}
