/** An audit as a table, and its findings as sentences. */
import { plural } from '../../base/plural.ts'
import type { Audit, AuditRow } from '../audit.ts'
import { formatCount, formatValue, formatWithInterval } from '../format.ts'
import { type Layout, type Line, sectionsOf } from './layout.ts'

/** Below this, a perfect eye misses more than rounding and rare accidents explain. */
const FULL_SIGHT = 0.97

export function auditLayout(audit: Audit): Layout {
  const percent = (value: number | null): string => formatValue(value, 'percent')
  const hasCeiling = audit.rows.some(({ ceiling }) => ceiling !== null)
  const lines = audit.rows.map((row): Line => {
    const { key, title, section = null, n, chance, constant, blind, blindInterval, ceiling } = row
    return {
      key,
      section,
      title,
      cells: [
        formatCount(n),
        percent(chance),
        percent(constant),
        formatWithInterval(blind, blindInterval, 'percent'),
        ...(hasCeiling ? [percent(ceiling)] : []),
      ],
      isHeadline: false,
      best: new Set(),
      second: new Set(),
      scores: [],
    }
  })
  return {
    title: `Audit of ${audit.suite}`,
    subtitle: `version ${audit.suiteVersion}, profile ${audit.profile}, source ${audit.source}, seed ${audit.seed}`,
    runs: [`${plural(audit.samples, 'sample')} · ${plural(audit.clusters, 'scene')}`],
    runColumns: 0,
    droppable: ['n', 'chance'],
    columns: ['n', 'chance', 'constant', 'words alone', ...(hasCeiling ? ['perfect eye'] : [])],
    sections: sectionsOf(lines),
    notes: [
      'words alone: a small learner that reads all text and sees nothing, tested on scenes it has not learned from.',
    ],
    warnings: [],
    runNotes: audit.notes,
    rowsAre: 'metrics',
  }
}

/** Whether the learner gets more than `points` above chance and the best constant, and not by accident. */
export function givesAway({ gain, gainInterval }: AuditRow, points: number): boolean {
  return gain !== null && gain * 100 > points && (gainInterval?.[0] ?? 0) > 0
}

/** What the numbers of each row mean. */
export function verdicts({ rows }: Audit): string[] {
  return rows.flatMap((row) => {
    const { title, ceiling } = row
    const sentences = [wordsVerdict(row)]
    if (ceiling !== null && ceiling < FULL_SIGHT) {
      sentences.push(`A perfect eye gets only ${formatValue(ceiling, 'percent')}.`)
    }
    return [`${title}: ${sentences.join(' ')}`]
  })
}

function wordsVerdict(row: AuditRow): string {
  const { gain, chance, constant } = row
  if (gain === null) return 'too few scenes to learn from.'
  const floor = (chance ?? 0) > (constant ?? 0) ? 'chance' : 'the best constant'
  if (!givesAway(row, 0)) return `words alone give no more than ${floor}.`
  return `words alone give ${formatValue(gain, 'percent')} points more than ${floor}.`
}
