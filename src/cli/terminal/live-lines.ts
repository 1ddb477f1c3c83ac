/** The text of the live display: what is shown of each run, fitted to the terminal. */
import { cutEnd, cutMiddle, padEnd, padStart, widthOf } from '../../base/display-width.ts'
import { printable } from '../../base/printable.ts'
import { plural } from '../../base/plural.ts'
import type { Progress } from '../../engine/progress.ts'
import { formatDuration, formatUsd, formatValue } from '../../report/format.ts'
import { bold, dim } from './output.ts'

export interface ShownRun {
  title: string
  /** Null before the first news. */
  progress: () => Progress | null
  seconds: () => number
}

const BAR_WIDTH = 28
const SHORT_BAR_WIDTH = 12
/** With less room than this, a line of several runs has no bar. */
const MIN_WIDTH_FOR_BAR = 70
/** A run's name and a little more; narrower rows do not say how many runs are hidden. */
const MIN_ROW_WIDTH = 20
const GAP = '  '

/** A block of lines for one run, one line each for several. None is wider than `width`; there are at most `height`. */
export function liveLines(runs: readonly ShownRun[], { width, height }: { width: number; height: number }): string[] {
  if (runs.length === 0) return []
  if (runs.length === 1) return blockOf(runs[0]!, width).slice(0, height)
  if (runs.length <= height) return tableOf(runs, width)
  const shown = runs.slice(0, Math.max(1, height - 1))
  const more = `+${runs.length - shown.length} more`
  if (height > 1) return [...tableOf(shown, width), dim(cutEnd(more, width))]
  // A single line for all of them.
  const room = width - widthOf(GAP + more)
  return room < MIN_ROW_WIDTH ? tableOf(shown, width) : tableOf(shown, room).map((line) => line + GAP + dim(more))
}

function blockOf({ title, progress: read, seconds }: ShownRun, width: number): string[] {
  const progress = read()
  const heading = bold(cutMiddle(printable(title), width))
  if (progress === null) return [heading, dim(cutEnd('starting', width))]
  const parts = [
    `${progress.finished}/${progress.planned}`,
    ...paceOf(progress, seconds()),
    ...rateOf(progress, seconds()),
  ]
  const pace = fitted(parts, width, GAP)
  const bar = Math.min(BAR_WIDTH, width - widthOf(pace) - GAP.length)
  const lines = [
    heading,
    bar < SHORT_BAR_WIDTH ? pace : `${barOf(progress, bar)}${GAP}${pace}`,
    dim(fitted(detailsOf(progress), width, ' · ')),
  ]
  const { lastError } = progress
  if (lastError) lines.push(dim(cutEnd(`last error: ${printable(lastError)}`, width)))
  return lines
}

function tableOf(runs: readonly ShownRun[], width: number): string[] {
  const titles = namesOf(
    runs.map(({ title }) => printable(title)),
    Math.max(16, Math.floor(width * 0.45)),
  )
  const nameWidth = Math.max(...titles.map(widthOf))
  const now = runs.map(({ progress, seconds }, i) => ({ title: titles[i]!, progress: progress(), seconds: seconds() }))
  const count = (progress: Progress | null): string => (progress ? `${progress.finished}/${progress.planned}` : '')
  const countWidth = Math.max(...now.map(({ progress }) => count(progress).length))
  const bar = width < MIN_WIDTH_FOR_BAR ? 0 : SHORT_BAR_WIDTH
  return now.map(({ title, progress, seconds }) => {
    const name = padEnd(title, nameWidth)
    const drawn = bar === 0 ? '' : `${progress ? barOf(progress, bar) : ' '.repeat(bar)}${GAP}`
    const used = nameWidth + GAP.length + (bar === 0 ? 0 : bar + GAP.length)
    const parts = progress
      ? [
          padStart(count(progress), countWidth),
          ...paceOf(progress, seconds),
          ...detailsOf(progress),
          ...rateOf(progress, seconds),
        ]
      : [dim('starting')]
    return `${name}${GAP}${drawn}${fitted(parts, width - used, GAP)}`
  })
}

/** Titles that fit. A suite that all runs have in common is left out if that helps. */
function namesOf(titles: readonly string[], width: number): string[] {
  const common = titles[0]!.slice(0, titles[0]!.indexOf(GAP) + GAP.length)
  const isLong = titles.some((title) => widthOf(title) > width)
  const names =
    isLong && titles.every((title) => title.startsWith(common))
      ? titles.map((title) => title.slice(common.length))
      : titles
  return names.map((name) => cutMiddle(name, width))
}

function barOf({ finished, planned }: Progress, width: number): string {
  const filled = Math.round((planned === 0 ? 1 : Math.min(1, finished / planned)) * width)
  return '━'.repeat(filled) + dim('━'.repeat(width - filled))
}

/** One line about a run: `space/text  openai/gpt-5.2: 40/100, 812 calls, 2 min 3 s left …` */
export function progressLine(title: string, progress: Progress, seconds: number): string {
  return lineOf(title, [...paceOf(progress, seconds), ...detailsOf(progress)], progress, Infinity)
}

/** The same when it is over. */
export function endLine(title: string, progress: Progress, seconds: number, width = Infinity): string {
  const { finished, before, calls } = progress
  const pace = finished === before && calls === 0 ? ['nothing played'] : [plural(calls, 'call'), duration(seconds)]
  return lineOf(title, [...pace, ...detailsOf(progress)], progress, width)
}

function lineOf(title: string, parts: readonly string[], { finished, planned }: Progress, width: number): string {
  const room = Math.max(20, Math.floor(width * 0.55), width - widthOf(title) - 2)
  const rest = fitted([`${finished}/${planned}`, ...parts], room, ', ')
  return `${cutMiddle(printable(title), width - widthOf(rest) - 2)}: ${rest}`
}

/** The parts that fit, the first ones first. */
function fitted(parts: readonly string[], width: number, separator: string): string {
  let line = ''
  for (const part of parts) {
    const next = line === '' ? part : line + separator + part
    if (widthOf(unstyled(next)) <= width) line = next
  }
  return line === '' ? cutEnd(unstyled(parts[0] ?? ''), width) : line
}

/** Calls, and how long it takes: calls also move where an episode takes many of them. */
function paceOf({ finished, before, planned, calls, waitSeconds }: Progress, seconds: number): string[] {
  const played = finished - before
  const made = plural(calls, 'call')
  if (waitSeconds > 0) return [made, `rate limited, waiting ${duration(waitSeconds)}`]
  if (finished >= planned) return [made, duration(seconds)]
  if (played === 0) return calls === 0 ? ['starting'] : [made]
  return [made, `${duration(((planned - finished) * seconds) / played)} left`]
}

/** Episodes per time; calls before the first episode. */
function rateOf({ finished, before, planned, calls, waitSeconds }: Progress, seconds: number): string[] {
  if (calls === 0 || waitSeconds > 0 || finished >= planned) return []
  const [count, what] = finished > before ? [finished - before, 'episodes'] : [calls, 'calls']
  const rate = count / Math.max(seconds, 0.001)
  return [rate >= 1 ? `${rate.toFixed(1)} ${what}/s` : `${(rate * 60).toFixed(1)} ${what}/min`]
}

function detailsOf({ finished, score, byStatus, usd, tokens, cachedCalls, connections }: Progress): string[] {
  const failures = Object.entries(byStatus).filter(([status]) => status !== 'answered')
  return [
    ...(score ? [`${printable(score.title)} ${formatValue(score.value, score.unit)}`] : []),
    ...(failures.length === 0
      ? finished > 0
        ? ['no failures']
        : []
      : failures.map(([status, count]) => `${count} ${status}`)),
    ...(tokens > 0 ? [formatUsd(usd), plural(tokens, 'token')] : []),
    ...(cachedCalls > 0 ? [`${cachedCalls} cached`] : []),
    ...(tokens > 0 ? [plural(connections, 'connection')] : []),
  ]
}

/** In whole seconds, as a changing fraction only distracts; the last second is not "0 s". */
function duration(seconds: number): string {
  return formatDuration(Math.max(1, Math.ceil(seconds)) * 1000, 0)
}

export function unstyled(line: string): string {
  // oxlint-disable-next-line no-control-regex -- matches the color codes of `bold` and `dim`
  return line.replace(/\u001b\[\d+m/g, '')
}
