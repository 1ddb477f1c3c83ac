/** Report rows that are points of a curve: `curve.information.2`, `curve.information.5`… */
import type { ReportRow } from '../../../../src/report/report.ts'

export interface CurvePoint {
  x: number
  row: ReportRow
}

export interface Curve {
  key: string
  /** The rows' titles without the trailing number. */
  title: string
  points: readonly CurvePoint[]
}

const MIN_POINTS = 3

export function curvesOf(rows: readonly ReportRow[]): Curve[] {
  const found = new Map<string, Curve & { points: CurvePoint[] }>()
  for (const row of rows) {
    const parts = /^(.+)\.(\d+(?:\.\d+)?)$/.exec(row.key)
    const title = parts && row.title.endsWith(parts[2]!) ? row.title.slice(0, -parts[2]!.length).trim() : null
    if (!parts || title === null || row.unit !== 'percent') continue
    const curve = found.get(parts[1]!) ?? { key: parts[1]!, title, points: [] }
    found.set(parts[1]!, curve)
    curve.points.push({ x: Number(parts[2]), row })
  }
  return [...found.values()]
    .filter(({ points }) => points.length >= MIN_POINTS)
    .map((curve) => ({ ...curve, points: curve.points.toSorted((a, b) => a.x - b.x) }))
}
