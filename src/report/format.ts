/** Number formatting for all report formats, in one place so they always round the same way. */
import type { Interval } from './bootstrap.ts'

export type NumberUnit = 'percent' | 'number'

export const NONE = '–'

/** Number of decimals for a plain number of this size. */
function decimalsOf(size: number): number {
  if (size >= 1000) return 0
  return size >= 100 ? 1 : 2
}

function fixed(value: number, decimals: number): string {
  const text = value.toFixed(decimals)
  // −0.04 would become "-0.0", which looks like a negative value.
  return Number(text) === 0 ? (0).toFixed(decimals) : text.replace('-', '−')
}

/** A score: a fraction as 0–100 with one decimal, a plain number with decimals by its size. */
export function formatValue(value: number | null | undefined, unit: NumberUnit): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE
  return unit === 'percent' ? fixed(value * 100, 1) : fixed(value, decimalsOf(Math.abs(value)))
}

/** What a suite says about its metrics, by name. */
type KnownMetrics = Readonly<Record<string, { title: string; unit: NumberUnit }>>

/** The title of a metric. One that the suite does not describe keeps its name, without underscores. */
export function metricTitle(name: string, metrics: KnownMetrics): string {
  return Object.hasOwn(metrics, name) ? metrics[name]!.title : humanize(name)
}

/** A value of a metric, in its unit. */
export function formatMetric(value: number | null | undefined, name: string, metrics: KnownMetrics): string {
  return formatValue(value, Object.hasOwn(metrics, name) ? metrics[name]!.unit : 'number')
}

/** The purpose of a request for readers: `question dir` → `question: Pairwise direction`. */
export function formatPurpose(purpose: string, metrics: KnownMetrics): string {
  const at = purpose.lastIndexOf(' ')
  const name = purpose.slice(at + 1)
  if (!Object.hasOwn(metrics, name)) return humanize(purpose)
  return at < 0 ? metrics[name]!.title : `${purpose.slice(0, at)}: ${metrics[name]!.title}`
}

/** `object_rel_distance` → `object rel distance`, for names of labels, metrics and statuses. */
export function humanize(name: string): string {
  return name.replaceAll('_', ' ')
}

/** `62.1 [58.0, 66.3]`, or only the value if there is no interval. */
export function formatWithInterval(value: number | null, interval: Interval | null, unit: NumberUnit): string {
  const text = formatValue(value, unit)
  if (value === null || interval === null) return text
  const decimals = decimalsOf(Math.abs(value))
  const end = (limit: number): string => (unit === 'percent' ? fixed(limit * 100, 1) : fixed(limit, decimals))
  return `${text} [${end(interval[0])}, ${end(interval[1])}]`
}

/** A signed difference, `+3.2 [+0.4, +6.1]`; fractions in percentage points. */
export function formatDifference(value: number | null, interval: Interval | null, unit: NumberUnit): string {
  if (value === null) return NONE
  const decimals = unit === 'percent' ? 1 : decimalsOf(Math.abs(value))
  const signed = (number: number): string => {
    const text = fixed(unit === 'percent' ? number * 100 : number, decimals)
    return /[1-9]/.test(text) && !text.startsWith('−') ? `+${text}` : text
  }
  if (interval === null) return signed(value)
  return `${signed(value)} [${signed(interval[0])}, ${signed(interval[1])}]`
}

/** `0.031`; values below 0.001 are written as a bound. */
export function formatP(p: number | null): string {
  if (p === null) return NONE
  return p < 0.001 ? '<0.001' : p.toFixed(3)
}

/** US dollars; an unknown price is never shown as 0. */
export function formatUsd(usd: number | null): string {
  if (usd === null) return 'price unknown'
  if (usd === 0) return '$0'
  return usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`
}

/** `1,234` */
export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en')
}

/** `840 ms`, `12.4 s`, `3 min 20 s`, `2 h 05 min`, `3 d 4 h`; `decimals` of seconds below a minute. */
export function formatDuration(ms: number, decimals = 1): string {
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`
  // Rounded before it is split, as a rest of 59.7 s would become "60 s".
  const short = (ms / 1000).toFixed(decimals)
  if (Number(short) < 60) return `${short} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${twoDigits(seconds % 60)} s`
  const minutes = Math.round(ms / 60_000)
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`
  const hours = Math.round(ms / 3_600_000)
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
