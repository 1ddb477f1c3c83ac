/** The main score over an option of the runs, such as rooms or frames, and the gap between two settings of another. */
import { groupBy } from '../../base/group.ts'
import { formatValue } from '../format.ts'
import type { Report } from '../report.ts'
import type { CurveFigure, CurvePanel, CurvePoint, Estimate } from './figure.ts'

export interface SweptRun {
  report: Report
  /** The value of the option that runs are ordered by. */
  x: number
  /** The value of the option whose two settings are compared; empty without one. */
  setting: string
}

export interface Sweep {
  /** Name of the option on the axis. */
  over: string
  /** The difference of the headline of two runs with its interval; null if they share no samples. */
  difference: (first: Report, second: Report) => Estimate | null
}

const SCORE = 'score'

/** A panel per model and suite with a line per setting and, for two settings, their difference. Null without a line. */
export function sweepFigure(runs: readonly SweptRun[], { over, difference }: Sweep): CurveFigure | null {
  const settings = [...new Set(runs.map(({ setting }) => setting))].sort()
  const hasGap = settings.length === 2
  const panels = [...groupBy(runs, ({ report }) => `${report.models['player'] ?? report.run}, ${report.suite}`)].map(
    ([title, group]): CurvePanel => {
      // Of several runs with the same settings the last one counts.
      const bySetting = settings.map(
        (setting) => new Map(group.filter((run) => run.setting === setting).map((run) => [run.x, run.report] as const)),
      )
      const lines = bySetting.map((found) => sorted([...found].map(([x, report]) => ({ x, ...headlineOf(report) }))))
      const [first, second] = bySetting
      const gaps = [...(hasGap ? first! : [])].flatMap(([x, report]) => {
        const other = second!.get(x)
        const found = other && difference(report, other)
        return found ? [{ x, ...found }] : []
      })
      return { title, xTitle: over, unit: 'percent', lines: [...lines, ...(hasGap ? [sorted(gaps)] : [])] }
    },
  )
  if (panels.every(({ lines }) => lines.every(({ length }) => length === 0))) return null
  const names = settings.map((setting) => setting || SCORE)
  const series = hasGap ? [...names, `gap: ${settings[1]} − ${settings[0]}`] : names
  return { kind: 'curves', title: `Scores over ${over}`, description: describe(panels, series, over), series, panels }
}

function headlineOf({ rows, headline }: Report): Estimate {
  const row = rows.find(({ key }) => key === headline)
  return { value: row?.value ?? null, interval: row?.interval ?? null }
}

function sorted(points: readonly CurvePoint[]): CurvePoint[] {
  return points.toSorted((a, b) => a.x - b.x)
}

function describe(panels: readonly CurvePanel[], series: readonly string[], over: string): string {
  return panels
    .map(({ title, lines }) => {
      const told = lines.flatMap((points, i) =>
        points.length === 0
          ? []
          : [`${series[i]} ${points.map(({ x, value }) => `${formatValue(value, 'percent')} at ${x}`).join(', ')}`],
      )
      return `${title}, by ${over}: ${told.join('; ')}.`
    })
    .join(' ')
}
