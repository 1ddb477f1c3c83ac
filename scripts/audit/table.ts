/** The shipped floors and ceilings as a Markdown table. */
import type { Audit } from '../../src/report/audit.ts'
import { formatCount, formatValue } from '../../src/report/format.ts'

export function floorTable(audits: readonly Audit[]): string {
  const lines = audits.flatMap(({ suite, suiteVersion, rows }) =>
    rows
      // Breakdowns by category and the like have the floors of their total.
      .filter(({ constantAnswer, section }) => constantAnswer !== undefined || section === undefined)
      .map(({ title, n, chance, constant, blind, ceiling }) => [
        `\`${suite}\` ${suiteVersion}`,
        title,
        formatCount(n),
        ...[chance, constant, blind, ceiling].map((value) => formatValue(value, 'percent')),
      ]),
  )
  const notes = audits.flatMap(({ suite, notes: own }) => own.map((note) => `- \`${suite}\`: ${note}`))
  return [
    '| suite, version | row | n | chance | constant | words alone | perfect eye |',
    '|---|---|---|---|---|---|---|',
    ...lines.map((cells) => `| ${cells.join(' | ')} |`),
    ...(notes.length > 0 ? ['', ...notes] : []),
  ].join('\n')
}
