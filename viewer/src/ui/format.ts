/** Number formats; shared with the reports where possible, so page and terminal round the same way. */
export { plural } from '../../../src/base/plural.ts'
import { formatValue, type NumberUnit } from '../../../src/report/format.ts'

export {
  formatCount,
  formatDifference,
  formatDuration,
  formatMetric,
  formatP,
  formatPurpose,
  formatUsd,
  formatValue,
  humanize,
  metricTitle,
  NONE,
  type NumberUnit,
} from '../../../src/report/format.ts'

/** `58.0–66.3`; "to" instead of a dash next to a minus sign. */
export function formatInterval([low, high]: readonly [number, number], unit: NumberUnit): string {
  return `${formatValue(low, unit)}${low < 0 ? ' to ' : '–'}${formatValue(high, unit)}`
}

/** A share as whole percent; never 100% when incomplete, never 0% when above zero. */
export function formatShare(share: number): string {
  const percent = share * 100
  if (percent > 99 && percent < 100) return '>99%'
  if (percent > 0 && percent < 1) return '<1%'
  return `${Math.round(percent)}%`
}

/** Cost of one episode; small amounts keep two significant digits. */
export function formatSmallUsd(usd: number | null): string {
  if (usd === null) return '?'
  if (usd === 0) return '$0'
  return usd < 0.1 ? `$${Number(usd.toPrecision(2))}` : `$${usd.toFixed(2)}`
}

const dateAndTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** `15 Nov 2026, 12:57` in the local time zone; invalid dates are returned unchanged. */
export function formatDate(iso: string): string {
  const time = Date.parse(iso)
  return Number.isNaN(time) ? iso : dateAndTime.format(time)
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const dateOnly = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/** `just now`, `12 min ago`, `3 h ago`, `5 d ago`, then the date. */
export function formatAgo(iso: string, now: number): string {
  const time = Date.parse(iso)
  if (Number.isNaN(time)) return iso
  const ms = now - time
  if (ms < MINUTE) return 'just now'
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ago`
  return ms < 14 * DAY ? `${Math.floor(ms / DAY)} d ago` : dateOnly.format(time)
}
