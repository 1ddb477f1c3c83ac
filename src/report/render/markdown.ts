import { printable } from '../../base/printable.ts'
import type { Layout } from './layout.ts'
import { numberedNotes } from './layout.ts'

/** A Markdown table, for a README or an issue. */
export function renderMarkdown(layout: Layout): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const lines = [`### ${escape(layout.title)}`, '', escape(layout.subtitle), '']
  for (const run of layout.runs) lines.push(`- ${escape(run)}`)
  lines.push('', line(['', ...layout.columns.map(escape)]), line(['---', ...layout.columns.map(() => '---:')]))
  for (const { heading, rows } of layout.sections) {
    if (heading !== null) lines.push(line([`**${escape(heading)}**`, ...layout.columns.map(() => '')]))
    for (const { title, cells, isHeadline, best, second } of rows) {
      const bold = (text: string, isBold: boolean): string => (isBold ? `**${escape(text)}**` : escape(text))
      const ranked = cells.map((cell, i) => (second.has(i) ? `<u>${escape(cell)}</u>` : bold(cell, best.has(i))))
      lines.push(line([bold(title, isHeadline), ...ranked]))
    }
  }
  lines.push('')
  for (const { mark, text } of numberedNotes(layout)) lines.push(`${mark}${mark === '' ? '' : ' '}${escape(text)}  `)
  return `${lines.join('\n')}\n`
}

function escape(text: string): string {
  return printable(text, ' ')
    .replace(/[\\`*_[\]<>|#&]/g, (char) =>
      char === '<' ? '&lt;' : char === '>' ? '&gt;' : char === '&' ? '&amp;' : `\\${char}`,
    )
    .replace(/\s+/gu, ' ')
}
