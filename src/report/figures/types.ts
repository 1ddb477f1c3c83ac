/** Scores by question type, task or part, next to each other for several runs. */
import { groupBy } from '../../base/group.ts'
import { formatValue } from '../format.ts'
import { mainKeys } from '../main-keys.ts'
import type { Report, ReportRow } from '../report.ts'
import { curvesOf } from './curves.ts'
import type { MatrixFigure, MatrixPanel, ScoreFigure, ScorePanel } from './figure.ts'
import { referencesOf, runNames } from './runs.ts'

/** The main rows, or those whose key, title or section contains one of `wanted`. Null if there are none. */
export function typeFigure(reports: readonly Report[], wanted: readonly string[] = []): ScoreFigure | null {
  const series = runNames(reports)
  const isWanted = ({ key, title, section = '' }: ReportRow): boolean =>
    wanted.some((text) => [key, title, section].some((name) => name.toLowerCase().includes(text.toLowerCase())))
  const chosen = reports.flatMap((report, run) => {
    const scores = scoresOf(report)
    const main = mainKeys(scores)
    const isShown = wanted.length === 0 ? ({ key }: ReportRow) => main.has(key) : isWanted
    return scores.filter(isShown).map((row) => ({ row, run, suite: report.title }))
  })
  const suites = groupBy(chosen, ({ suite }) => suite)
  const panels = [...suites].flatMap(([suite, ofSuite]) => {
    const sections = groupBy(ofSuite, ({ row }) => `${row.section ?? ''}\u0000${row.unit}\u0000${row.better}`)
    return [...sections.values()].map((group): ScorePanel => {
      const { section, unit, better } = group[0]!.row
      return {
        title: [...(suites.size > 1 ? [suite] : []), section ?? 'Scores'].join(': '),
        scale: { title: 'Score', unit, better },
        rows: [...groupBy(group, ({ row }) => row.key).values()].map((same) => ({
          name: same[0]!.row.title,
          estimates: reports.map((_, run) => same.find((each) => each.run === run)?.row ?? null),
          references: referencesOf(same[0]!.row),
          isQuiet: false,
        })),
      }
    })
  })
  if (panels.length === 0) return null
  return {
    kind: 'scores',
    title: 'Scores by type',
    description: describe(panels, series),
    series: reports.length === 1 ? [''] : series,
    panels: panels.map((panel) => ({
      ...panel,
      rows: panel.rows.map((row) => ({ ...row, estimates: row.estimates.map(onlyEstimate) })),
    })),
  }
}

function onlyEstimate(row: Pick<ReportRow, 'value' | 'interval'> | null) {
  return row && { value: row.value, interval: row.interval }
}

/** Rows that are scores of a part: not cells of a matrix, points of a curve, or counts of problems. */
function scoresOf({ rows }: Report): ReportRow[] {
  const points = new Set(curvesOf(rows).flatMap(({ points: own }) => own.map(({ row }) => row)))
  return rows.filter(
    (row) => row.cell === undefined && !points.has(row) && row.unit === 'percent' && row.better === 'higher',
  )
}

function describe(panels: readonly ScorePanel[], series: readonly string[]): string {
  const rows = panels.flatMap((panel) => panel.rows.map((row) => ({ ...row, unit: panel.scale.unit })))
  const texts = rows.slice(0, 12).map(({ name, estimates, unit }) => {
    const values = estimates.map((estimate) => formatValue(estimate?.value ?? null, unit))
    return `${name}: ${series.length === 1 ? values[0] : values.map((value, i) => `${series[i]} ${value}`).join(', ')}`
  })
  return `${texts.join('; ')}.`
}

/** Rows of reports that form a matrix, such as templates × metrics; null if there are none. */
export function matrixFigure(reports: readonly Report[]): MatrixFigure | null {
  const names = runNames(reports)
  const panels = reports.flatMap((report, run) => {
    const cells = report.rows.flatMap((row) => (row.cell === undefined ? [] : [{ ...row, cell: row.cell }]))
    return [...groupBy(cells, ({ section }) => section ?? '')].map(([section, own]): MatrixPanel => {
      const rows = [...new Set(own.map(({ cell }) => cell.row))]
      const columns = [...new Set(own.map(({ cell }) => cell.column))]
      return {
        title: reports.length === 1 ? section : [names[run]!, section].join(': '),
        rowTitle: '',
        columnTitle: '',
        rows,
        columns,
        cells: rows.map((row) =>
          columns.map((column) => {
            const found = own.find(({ cell }) => cell.row === row && cell.column === column)
            if (found === undefined || found.value === null) return null
            return { shade: Math.min(1, Math.max(0, found.value)), text: formatValue(found.value, found.unit) }
          }),
        ),
      }
    })
  })
  if (panels.length === 0) return null
  return { kind: 'matrix', title: 'Heat map', description: describeMatrices(panels), panels }
}

export function describeMatrices(panels: readonly MatrixPanel[]): string {
  const parts = panels.map(({ title, rows, columns, cells }) => {
    const lines = rows.map(
      (row, i) => `${row}: ${columns.map((column, j) => `${column} ${cells[i]![j]?.text ?? '–'}`).join(', ')}`,
    )
    return `${title}. ${lines.slice(0, 12).join('; ')}.`
  })
  return parts.slice(0, 4).join(' ')
}
