import type { Layout } from './layout.ts'
import { numberedNotes } from './layout.ts'

const COMMANDS: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  _: '\\_',
  '%': '\\%',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': '\\textquotedbl{}',
  '–': '--',
  '−': '$-$',
  '↓': '$\\downarrow$',
  '·': '$\\cdot$',
  '°': '$^\\circ$',
  '²': '$^2$',
  '×': '$\\times$',
  '≥': '$\\geq$',
  '≤': '$\\leq$',
  '…': '\\ldots{}',
}

/** A LaTeX table, ready to `\input`; only needs `\usepackage{booktabs}`. */
export function renderLatex(layout: Layout): string {
  const width = layout.columns.length + 1
  const row = (cells: readonly string[]): string => `${cells.join(' & ')} \\\\`
  const lines = [
    '\\begin{table}',
    '\\centering',
    `\\caption{${escapeLatex(layout.title)} (${escapeLatex(layout.subtitle)}).}`,
    `\\begin{tabular}{l${'r'.repeat(layout.columns.length)}}`,
    '\\toprule',
    row(['', ...layout.columns.map(escapeLatex)]),
    '\\midrule',
  ]
  for (const [i, { heading, rows }] of layout.sections.entries()) {
    if (heading !== null) {
      if (i > 0) lines.push('\\addlinespace')
      lines.push(row([`\\multicolumn{${width}}{l}{\\emph{${escapeLatex(heading)}}}`]))
    }
    for (const { title, cells, isHeadline, best } of rows) {
      const bold = (text: string, isBold: boolean): string =>
        isBold ? `\\textbf{${escapeLatex(text)}}` : escapeLatex(text)
      lines.push(row([bold(title, isHeadline), ...cells.map((cell, i) => bold(cell, best.has(i)))]))
    }
  }
  lines.push('\\bottomrule', '\\end{tabular}', '', '\\smallskip\\footnotesize')
  for (const { mark, text } of numberedNotes(layout))
    lines.push(`${escapeLatex(mark === '' ? text : `${mark} ${text}`)}\\par`)
  for (const run of layout.runs) lines.push(`${escapeLatex(run)}\\par`)
  lines.push('\\end{table}')
  return `${lines.join('\n')}\n`
}

const MARKS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

export function escapeLatex(text: string): string {
  // Superscript digits are footnote marks, except in units such as m².
  return text.replace(/(?<=\p{L})²(?!\p{L})|[⁰¹²³⁴⁵⁶⁷⁸⁹]+|[^\p{L}\p{N} ]/gu, (found) => {
    if (COMMANDS[found] !== undefined) return COMMANDS[found]
    if (!MARKS.includes(found[0]!)) return /\p{Cc}/u.test(found) ? ' ' : found
    return `\\textsuperscript{${found.replace(/./g, (mark) => String(MARKS.indexOf(mark)))}}`
  })
}
