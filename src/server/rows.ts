/** A run as a row of the leaderboard. */
import { printable, printableLines } from '../base/printable.ts'
import { groupOf, settingsOf } from '../report/comparability.ts'
import { knownUsd, type Report } from '../report/report.ts'
import { counts, type EpisodeLine, type RunHeader, type RunStatus } from '../store/records.ts'
import type { Headline, RunRow } from './api.ts'

export interface Totals {
  finished: number
  counted: number
  /** `null` when the price of any call is unknown. */
  usd: number | null
}

export function totalsOf(lines: readonly EpisodeLine[]): Totals {
  let counted = 0
  let usd: number | null = 0
  for (const { status, usage } of lines) {
    if (counts(status)) counted += 1
    usd = usd === null || usage.usd === null ? null : usd + usage.usd
  }
  return { finished: lines.length, counted, usd }
}

export function rowOf(
  header: RunHeader,
  status: RunStatus,
  suiteTitle: string | null,
  { finished, counted, usd }: Totals,
  headline: Headline | null,
): RunRow {
  return {
    id: header.id,
    // Names stand in the middle of sentences.
    suite: printable(header.suite),
    suiteTitle: printable(suiteTitle ?? header.suite),
    player: printable(header.models['player'] ?? ''),
    profile: printable(header.profile),
    source: printable(header.source),
    settings: settingsOf(header),
    group: groupOf(header),
    created: header.created,
    state: status.state,
    reason: status.reason === null ? null : printableLines(status.reason),
    planned: header.planned,
    finished,
    coverage: header.planned === 0 ? 0 : counted / header.planned,
    usd: knownUsd(header, usd),
    headline,
  }
}

export function headlineOf(report: Report): Headline | null {
  const row = report.rows.find(({ key }) => key === report.headline)
  if (!row) return null
  const { title, value, interval, chance = null, unit, better } = row
  return { title, value, interval, chance, unit, better }
}
