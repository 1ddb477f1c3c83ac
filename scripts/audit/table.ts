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
  return [
    '| suite, version | row | n | chance | constant | words alone | perfect eye |',
    '|---|---|---|---|---|---|---|',
    ...lines.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n')
}
