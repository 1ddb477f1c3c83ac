/** Which rows of a report are shown. */
import { UserError } from '../../base/errors.ts'
import { nearestName } from '../../base/nearest.ts'
import { BY_PREFIX, isCalled, mainKeys, namesIn } from '../main-keys.ts'
import { passRows, type Report, type ReportRow } from '../report.ts'

/** Keys, titles or section headings of metrics, in this order; `main` for the headline and its parts. */
export type MetricChoice = readonly string[] | 'main'

/** The keys of the rows to show, in order. */
export function chosenKeys(reports: readonly Report[], metrics: MetricChoice | undefined): string[] {
  const keys = rowKeys(reports)
  if (metrics === undefined) return keys
  const rows = keys.map((key) => rowOf(reports, key))
  if (metrics === 'main') {
    const main = mainKeys(rows)
    return keys.filter((key) => main.has(key))
  }
  const chosen = metrics.flatMap((name) => rows.filter((row) => isCalled(row, name)).map(({ key }) => key))
  // A table of several suites may choose metrics that only one of them has.
  if (chosen.length === 0) chosen.push(reports[0]!.headline)
  return [...new Set([...chosen, ...keys.filter((key) => key.startsWith(BY_PREFIX))])]
}

function rowOf(reports: readonly Report[], key: string): ReportRow {
  return reports.flatMap((report) => [...report.rows, ...passRows(report)]).find((row) => row.key === key)!
}

/**
 * The single names in lists of metrics. Titles may contain commas. Throws a `UserError` for a metric that no report has.
 *
 * @example
 * metricNames(reports, ['overall,Room size', 'Correct, published rule'])
 */
export function metricNames(reports: readonly Report[], lists: readonly string[]): string[] {
  const rows = reports.flatMap((report) => [...report.rows, ...shownPasses(report)])
  const names = namesIn(lists, rows)
  const unknown = names.find((name) => !rows.some((row) => isCalled(row, name)))
  if (unknown === undefined) return names
  const keys = [...new Set(rows.map(({ key }) => key))]
  const all = rows.flatMap(({ key, title, section }) => [key, title, ...(section === undefined ? [] : [section])])
  const guess = nearestName(unknown, all)
  throw new UserError(`No metric is called "${unknown}".`, {
    hint: `${guess === null ? '' : `Did you mean "${guess}"? `}Metrics: ${keys.join(', ')}.`,
  })
}

/** pass@k first, then pass^k, which is the same for one epoch. */
function shownPasses(report: Report): ReportRow[] {
  const rows = passRows(report).filter(({ key }) => key !== 'pass^1')
  return [...rows.filter(({ key }) => key.startsWith('pass@')), ...rows.filter(({ key }) => key.startsWith('pass^'))]
}

/** Keys of all rows; a key that only a later report has goes after the row that precedes it there. */
function rowKeys(reports: readonly Report[]): string[] {
  const keys: string[] = []
  for (const report of reports) {
    let after = -1
    for (const { key } of [...report.rows, ...shownPasses(report)]) {
      const at = keys.indexOf(key)
      if (at >= 0) after = at
      else keys.splice(++after, 0, key)
    }
  }
  return keys
}
