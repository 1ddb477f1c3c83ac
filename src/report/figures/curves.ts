/** Scores over cost, turns, attempts or difficulty: rows of a report that are points of a curve, and pass@k. */
import { groupBy } from '../../base/group.ts'
import { formatValue } from '../format.ts'
import type { Report, ReportRow } from '../report.ts'
import type { CurveFigure, CurvePanel } from './figure.ts'
import { runNames } from './runs.ts'

export interface CurveRow {
  x: number
  row: ReportRow
}

/** Rows such as `curve.information.2`, `curve.information.5`…, or `level.easy`, `level.medium`… */
export interface Curve {
  key: string
  /** The rows' titles without the trailing number or level. */
  title: string
  points: readonly CurveRow[]
}

const MIN_POINTS = 3
/** Levels of difficulty, at 1, 2 and 3. */
const LEVELS = ['easy', 'medium', 'hard']
const POINT = new RegExp(`^(.+)\\.(\\d+(?:\\.\\d+)?|${LEVELS.join('|')})$`)

export function curvesOf(rows: readonly ReportRow[]): Curve[] {
  const found = new Map<string, Curve & { points: CurveRow[] }>()
  for (const row of rows) {
    const parts = POINT.exec(row.key)
    const title = parts && row.title.endsWith(parts[2]!) ? row.title.slice(0, -parts[2]!.length).trim() : null
    if (!parts || title === null || row.unit !== 'percent') continue
    const curve = found.get(parts[1]!) ?? { key: parts[1]!, title, points: [] }
    found.set(parts[1]!, curve)
    curve.points.push({ x: LEVELS.indexOf(parts[2]!) + 1 || Number(parts[2]), row })
  }
  return [...found.values()]
    .filter(({ points }) => points.length >= MIN_POINTS)
    .map((curve) => ({ ...curve, points: curve.points.toSorted((a, b) => a.x - b.x) }))
}

/** A panel per curve with a line per run; null if no run has a curve. */
export function curveFigure(reports: readonly Report[]): CurveFigure | null {
  const series = runNames(reports)
  const curves = reports.flatMap((report, run) => curvesOf(report.rows).map((curve) => ({ ...curve, run })))
  const panels = [...groupBy(curves, ({ key, title }) => `${key}\u0000${title}`).values()].map((group): CurvePanel => {
    const [, title, xTitle] = /^(.*) at (\S+)$/.exec(group[0]!.title) ?? [null, group[0]!.title, '']
    return {
      title,
      xTitle,
      ...(group[0]!.points.some(({ row }) => row.key.endsWith(`.${LEVELS[0]}`)) && { xNames: LEVELS }),
      unit: 'percent',
      lines: reports.map((_, run) =>
        (group.find((curve) => curve.run === run)?.points ?? []).map(({ x, row: { value, interval } }) => ({
          x,
          value,
          interval,
        })),
      ),
    }
  })
  return panels.length === 0
    ? null
    : { kind: 'curves', title: 'Curves', description: describe(panels, series), series, panels }
}

/** Solved in at least one of k attempts, and in all of them; null if every sample was played once. */
export function passFigure({ passes }: Report): CurveFigure | null {
  if (passes === null || passes.rows.length < 2) return null
  const series = ['any of k', 'all of k']
  const panel: CurvePanel = {
    title: 'Samples solved',
    xTitle: 'k',
    unit: 'percent',
    lines: [
      passes.rows.map(({ k, any, anyInterval }) => ({ x: k, value: any, interval: anyInterval })),
      passes.rows.map(({ k, all, allInterval }) => ({ x: k, value: all, interval: allInterval })),
    ],
  }
  return { kind: 'curves', title: 'pass@k', description: describe([panel], series), series, panels: [panel] }
}

function describe(panels: readonly CurvePanel[], series: readonly string[]): string {
  const parts = panels.flatMap(({ title, xTitle, xNames, unit, lines }) =>
    lines.flatMap((points, i) => {
      const last = points.at(-1)
      const at = last && (xNames?.[last.x - 1] ?? last.x)
      return last ? [`${title}, ${series[i]}: ${formatValue(last.value, unit)} at ${xTitle} ${at}`] : []
    }),
  )
  return `${parts.slice(0, 12).join('; ')}.`
}
