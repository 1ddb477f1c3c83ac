/** A comparison as text. */
import type { Comparison } from '../compare.ts'
import { csvLine } from '../csv.ts'
import { formatCount, formatDifference, formatP, formatValue } from '../format.ts'
import type { Difference } from '../comparability.ts'
import { type Layout, type Line, sectionsOf } from './layout.ts'
import { renderLatex } from './latex.ts'
import { renderMarkdown } from './markdown.ts'
import { renderTable } from './text-table.ts'

export type ComparisonFormat = 'table' | 'md' | 'csv' | 'latex' | 'json'

export function renderComparison(comparison: Comparison, format: ComparisonFormat): string {
  return RENDERERS[format](comparison)
}

const RENDERERS: Readonly<Record<ComparisonFormat, (comparison: Comparison) => string>> = {
  table: (comparison) => renderTable(layoutOf(comparison)),
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
  }))
  return {
    title: comparison.title,
    subtitle: `${comparison.suite}: ${formatCount(comparison.shared)} shared samples, ${formatCount(comparison.clusters)} clusters`,
    runs: [
      `A  ${a.player} · run ${a.run} · profile ${a.profile}`,
      `B  ${b.player} · run ${b.run} · profile ${b.profile}`,
      // Above the numbers: who reads only the first lines must know whether they may be compared.
      ...verdict(comparison),
    ],
    columns: ['A', 'B', 'B − A', 'p', 'samples'],
    sections: sectionsOf(lines),
    notes: [
      ...(comparison.rows.some(({ better }) => better === 'lower') ? ['↓ lower is better.'] : []),
      `Paired on sample id. [low, high]: 95 % interval, ${formatCount(method.resamples)} resamples of whole clusters (scenes); p: two-sided, ${formatCount(method.permutations)} swaps of A and B by cluster.`,
      ...comparison.notes,
    ],
  }
}

/** Says plainly what the difference can come from, and names what differs. */
function verdict(comparison: Comparison): string[] {
  return [sentence(comparison), ...comparison.differences.map((difference) => `  ${inWords(difference, comparison)}`)]
}

function sentence({ comesFrom, differences }: Comparison): string {
  switch (comesFrom) {
    case 'models':
      return 'Like for like: nothing differs but what is compared.'
    case 'ways':
      return 'The same model in two ways: the difference comes from what differs here.'
    case 'unclear':
      return differences.some(({ kind }) => kind === 'compared')
        ? 'NOT LIKE FOR LIKE: the runs differ in more than the model, so the difference may not be the model’s.'
        : 'NOT LIKE FOR LIKE: the model is the same, but not its measure; the difference may come from any of this.'
  }
}

const MEANING = { unlike: 'differs', paired: 'differs, and pairing takes care of it', compared: 'is compared' } as const

function inWords({ part, kind, a, b }: Difference, { a: left, b: right }: Comparison): string {
  // What only one of two suites has does not differ: it belongs to that suite.
  if (left.suite !== right.suite && part.startsWith('option.')) {
    if (b === null) return `${part} is of ${left.suite} alone: ${a}`
    if (a === null) return `${part} is of ${right.suite} alone: ${b}`
  }
  return `${part} ${MEANING[kind]}: ${a ?? 'none'} → ${b ?? 'none'}`
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
