/** How numbers are written: the reports' own way where there is one, so that page and terminal never round differently. */
import { formatValue, type NumberUnit } from '../../../src/report/format.ts'

export {
  formatCount,
  formatDifference,
  formatP,
  formatUsd,
  formatValue,
  NONE,
  type NumberUnit,
} from '../../../src/report/format.ts'

/** `58.0–66.3`; with a word between them where a minus would be read as a dash. */
export function formatInterval([low, high]: readonly [number, number], unit: NumberUnit): string {
  return `${formatValue(low, unit)}${low < 0 ? ' to ' : '–'}${formatValue(high, unit)}`
}

/** A share as whole percent; never 100 % when something is missing, never 0 % when something is there. */
export function formatShare(share: number): string {
  const percent = share * 100
  if (percent > 99 && percent < 100) return '>99 %'
  if (percent > 0 && percent < 1) return '<1 %'
  return `${Math.round(percent)} %`
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `840 ms`, `12.4 s`, `3 min 20 s`, `2 h 05 min`, `3 d 4 h` */
export function formatDuration(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`
  if (ms < MINUTE - 50) return `${(ms / SECOND).toFixed(1)} s`
  // Rounded first: 59.97 s are a minute, not 60.0 s.
  if (ms < MINUTE) return '1 min 00 s'
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${pad((ms % MINUTE) / SECOND)} s`
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ${pad((ms % HOUR) / MINUTE)} min`
  return `${Math.floor(ms / DAY)} d ${Math.floor((ms % DAY) / HOUR)} h`
}

function pad(value: number): string {
  return String(Math.floor(value)).padStart(2, '0')
}

/** Money of one episode: small amounts keep their digits. */
export function formatSmallUsd(usd: number | null): string {
  if (usd === null) return '?'
  if (usd === 0) return '$0'
  return usd < 0.1 ? `$${Number(usd.toPrecision(2))}` : `$${usd.toFixed(2)}`
}

const dayAndTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** `15 Nov 2026, 12:57`, in the reader's time zone; what is not a date is shown as it is. */
export function formatDate(iso: string): string {
  const time = Date.parse(iso)
  return Number.isNaN(time) ? iso : dayAndTime.format(time)
}

const dayAlone = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/** `just now`, `12 min ago`, `3 h ago`, `5 d ago`, then the day. */
export function formatAgo(iso: string, now: number): string {
  const time = Date.parse(iso)
  if (Number.isNaN(time)) return iso
  const ms = now - time
  if (ms < MINUTE) return 'just now'
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ago`
  return ms < 14 * DAY ? `${Math.floor(ms / DAY)} d ago` : dayAlone.format(time)
}

/** `object_rel_distance` as `object rel distance`: names of labels, metrics and statuses, for people. */
export function words(name: string): string {
  return name.replaceAll('_', ' ')
}
