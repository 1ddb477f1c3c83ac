/** A score as a bar, with a whisker for its confidence interval and ticks for chance, constant and ceiling. */
import { formatValue, formatWithInterval } from '../format.ts'
import type { ReportRow } from '../report.ts'
import { escapeHtml } from './html-escape.ts'

const WIDTH = 180
const HEIGHT = 10
const MIDDLE = HEIGHT / 2

/** The value at the right end; null if the row has negative values. */
export type Scale = number | null

export function scaleOf(rows: readonly (ReportRow | undefined)[]): Scale {
  let top = 0
  for (const row of rows) {
    if (row === undefined || row.value === null) continue
    if (row.value < 0 || (row.interval !== null && row.interval[0] < 0)) return null
    if (row.unit === 'percent') top = Math.max(top, 1)
    for (const value of [row.value, row.interval?.[1], row.chance, row.constant, row.ceiling])
      top = Math.max(top, value ?? 0)
  }
  return top > 0 ? top : null
}

export function barOf(row: ReportRow, scale: Scale): string {
  if (scale === null || row.value === null) return ''
  const x = (value: number): string => ((value / scale) * WIDTH).toFixed(1)
  const parts = [
    `<rect class="track" width="${WIDTH}" height="${HEIGHT}" rx="3"/>`,
    `<rect class="bar" width="${x(row.value)}" height="${HEIGHT}" rx="3"/>`,
  ]
  const tick = (kind: 'chance' | 'constant' | 'ceiling'): void => {
    const value = row[kind]
    // A tick at either end of the scale adds nothing.
    if (value === null || value === undefined || value <= 0 || (kind === 'ceiling' && value >= scale)) return
    parts.push(`<line class="${kind}" x1="${x(value)}" x2="${x(value)}" y1="-2" y2="${HEIGHT + 2}"/>`)
  }
  tick('ceiling')
  tick('constant')
  tick('chance')
  if (row.interval !== null) {
    const [low, high] = row.interval
    const cap = (value: number): string => `M${x(value)} ${MIDDLE - 4}V${MIDDLE + 4}`
    parts.push(`<path class="whisker" d="M${x(low)} ${MIDDLE}H${x(high)}${cap(low)}${cap(high)}"/>`)
  }
  return `<svg viewBox="-1 -3 ${WIDTH + 2} ${HEIGHT + 6}" width="${WIDTH + 2}" height="${HEIGHT + 6}" role="img" aria-label="${escapeHtml(label(row))}">${parts.join('')}</svg>`
}

function label(row: ReportRow): string {
  const chance = row.chance === null || row.chance === undefined ? '' : `, chance ${formatValue(row.chance, row.unit)}`
  return `${row.title}: ${formatWithInterval(row.value, row.interval, row.unit)}${chance}`
}
