/** Renders a comparison. */
import { plural } from '../../base/plural.ts'
import type { Comparison } from '../compare.ts'
import { csvLine } from '../csv.ts'
import { formatCount, formatDifference, formatP, formatValue } from '../format.ts'
import type { Difference } from '../comparability.ts'
import { type Layout, type Line, sectionsOf } from './layout.ts'
import { renderLatex } from './latex.ts'
import { renderMarkdown } from './markdown.ts'
import { type Fit, renderTable } from './text-table.ts'

export type ComparisonFormat = 'table' | 'md' | 'csv' | 'latex' | 'json'

/** @param fit the terminal to fit a table to */
export function renderComparison(comparison: Comparison, format: ComparisonFormat, fit?: Fit): string {
  return format === 'table' ? renderTable(layoutOf(comparison), fit) : RENDERERS[format](comparison)
}

const RENDERERS: Readonly<Record<Exclude<ComparisonFormat, 'table'>, (comparison: Comparison) => string>> = {
  md: (comparison) => renderMarkdown(layoutOf(comparison)),
  latex: (comparison) => renderLatex(layoutOf(comparison)),
  csv: renderCsv,
  json: (comparison) => `${JSON.stringify(comparison, null, 2)}\n`,
}

function layoutOf(comparison: Comparison): Layout {
  const { a, b, method } = comparison
  const lines = comparison.rows.map((row): Line => ({
    key: row.key,
    section: row.section ?? null,
    title: `${row.title}${row.better === 'lower' ? ' ↓' : ''}`,
    cells: [
      formatValue(row.a, row.unit),
      formatValue(row.b, row.unit),
      formatDifference(row.difference, row.interval, row.unit),
      formatP(row.p),
      formatCount(row.n),
    ],
    isHeadline: row.key === comparison.headline,
    best: new Set(),
    second: new Set(),
    scores: [],
  }))
  return {
    title: comparison.title,
    subtitle: `${comparison.suite}: ${plural(comparison.shared, 'shared sample')}, ${plural(comparison.clusters, 'cluster')}`,
    runs: [
      `A  ${a.player} · run ${a.run} · profile ${a.profile}`,
      `B  ${b.player} · run ${b.run} · profile ${b.profile}`,
      // Above the scores, so nobody misses whether they are comparable.
      ...verdict(comparison),
    ],
    runColumns: 0,
    droppable: ['samples'],
    columns: ['A', 'B', 'B − A', 'p', 'samples'],
    sections: sectionsOf(lines),
    notes: [
      ...(comparison.rows.some(({ better }) => better === 'lower') ? ['↓: lower is better.'] : []),
      `[low, high]: 95% confidence interval, cluster bootstrap, ${formatCount(method.resamples)} resamples.`,
      `p: two-sided paired permutation test over clusters, ${formatCount(method.permutations)} permutations.`,
      ...comparison.notes,
    ],
    warnings: [],
    runNotes: [],
    rowsAre: 'metrics',
  }
}

/** What can explain the difference, followed by everything that differs. */
function verdict(comparison: Comparison): string[] {
  return [
    verdictLine(comparison),
    ...comparison.differences.map((difference) => `  ${describeDifference(difference, comparison)}`),
  ]
}

function verdictLine({ comesFrom, differences }: Comparison): string {
  switch (comesFrom) {
    case 'models':
      return 'Like for like: only the model and its options differ.'
    case 'ways':
      return 'Same model, different suite or options: these explain the difference.'
    case 'unclear':
      return differences.some(({ kind }) => kind === 'compared')
        ? 'NOT LIKE FOR LIKE: more than the model differs, which may explain the difference.'
        : 'NOT LIKE FOR LIKE: the model is the same, but the setup or the scoring differs.'
  }
}

const KIND_LABELS = { unlike: 'differs', paired: 'differs (handled by pairing)', compared: 'is compared' } as const

function describeDifference({ part, kind, a, b }: Difference, { a: left, b: right }: Comparison): string {
  // An option that only one of two suites has is not a difference in settings.
  if (left.suite !== right.suite && part.startsWith('option.')) {
    if (b === null) return `${part} only applies to ${left.suite}: ${a}`
    if (a === null) return `${part} only applies to ${right.suite}: ${b}`
  }
  return `${part} ${KIND_LABELS[kind]}: ${a ?? 'none'} → ${b ?? 'none'}`
}

const CSV_HEADER = 'key,title,unit,better,a,b,difference,low,high,p,samples,like_for_like\r\n'

function renderCsv(comparison: Comparison): string {
  let csv = CSV_HEADER
  for (const row of comparison.rows) {
    const [low, high] = row.interval ?? [null, null]
    const numbers = [row.a, row.b, row.difference, low, high, row.p, row.n]
    csv += csvLine([row.key, row.title, row.unit, row.better, ...numbers, comparison.likeForLike])
  }
  return csv
}
