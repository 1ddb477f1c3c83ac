/** An audit as a table, and its findings as sentences. */
import { plural } from '../../base/plural.ts'
import type { Audit, AuditRow } from '../audit.ts'
import { formatCount, formatValue, formatWithInterval } from '../format.ts'
import { type Layout, type Line, sectionsOf } from './layout.ts'

/** Below this, a perfect eye misses more than rounding and rare accidents explain. */
const FULL_SIGHT = 0.97

/** From here on, one answer being right more often than others is worth a sentence. */
const BIASED = 0.05

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

/** What the numbers of each row mean; rows with the same verdict share a sentence. */
export function verdicts({ rows }: Audit): string[] {
  const [rich, poor] = [rows.filter((row) => givesAway(row, 0)), rows.filter((row) => !givesAway(row, 0))]
  const biased = rows.filter(({ chance, constant }) => chance !== null && (constant ?? 0) - chance >= BIASED)
  const dim = rows.filter(({ ceiling }) => ceiling !== null && ceiling < FULL_SIGHT)
  return [
    ...rich.map(({ title, gain, chance, constant }) => {
      const floor = (chance ?? 0) > (constant ?? 0) ? 'chance' : 'the best constant'
      return `${title}: words alone give ${formatValue(gain, 'percent')} points more than ${floor}.`
    }),
    ...(poor.length === 0
      ? []
      : [`Words alone give no more than the best of chance and one constant answer: ${titlesOf(poor)}.`]),
    ...(biased.length === 0
      ? []
      : [`One constant answer gets more than chance: ${biased.map(constantOf).join(', ')}.`]),
    ...dim.map(({ title, ceiling }) => `${title}: a perfect eye gets only ${formatValue(ceiling, 'percent')}.`),
  ]
}

function constantOf({ title, chance, constant, constantAnswer }: AuditRow): string {
  const answer = constantAnswer === undefined ? '' : `"${constantAnswer}", `
  return `${title} ${formatValue(constant, 'percent')} (${answer}chance ${formatValue(chance, 'percent')})`
}

function titlesOf(rows: readonly AuditRow[]): string {
  return rows.map(({ title }) => title).join(', ')
}
