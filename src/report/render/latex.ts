/**
 * LaTeX tables for papers, ready to `\input`; they only need `\usepackage{booktabs}`. A table is as wide as a column of
 * text: columns that do not fit continue in panels below, and panels that do not fit a page in further tables.
 */
import { isBaseline } from '../../base/baseline.ts'
import { printable } from '../../base/printable.ts'
import { headingLines, splitCell } from './aligned-cells.ts'
import { type Layout, type Line, numberedNotes } from './layout.ts'

export interface LatexOptions {
  /** LaTeX code without braces that do not match. Default: the title of the table. */
  caption?: string
  /** Default: `tab:` and the name of the suite. */
  label?: string
  /** As wide as the page, in a document with two columns. */
  isWide?: boolean
}

/**
 * The narrowest column of the usual templates, in points, with the font of an 11-point document: ACL. Others have more
 * room.
 */
const COLUMN = 219
const PAGE = 455
/** Average width of a character of `\footnotesize` and `\scriptsize` text. */
const CHARACTER = 4.7
const SMALL_CHARACTER = 4.1
/** Space between columns: twice `\tabcolsep`. */
const GAP = 6
/** Headings are broken into lines of about this many characters. */
const HEADING_CHARACTERS = 10
/**
 * Shares of the width for the first column, with names or titles; longer ones are broken. The first with the fewest
 * panels is used; the last if many names are so long that they have lines of their own.
 */
const NAME_SHARES = [0.34, 0.3, 0.26, 0.2] as const
/** Lines of a page, at the size of the table, and lines for the heading of a panel. */
const MAX_LINES = 42
const HEADING_LINES = 5
/** A longer name has a line of its own above its values; where most do, all that do not fit one line. */
const MAX_NAME_LINES = 2
/** Lines end at punctuation, so part of them stays empty. */
const FILLED = 0.8

export function renderLatex(given: Layout, options: LatexOptions = {}): string {
  const layout = given.rowsAre === 'models' ? withShortNames(given) : given
  const isOfSeveral = layout.runs.length > 1
  const width = options.isWide ? PAGE : COLUMN
  const measure = options.isWide ? '\\textwidth' : '\\columnwidth'
  const label = options.label ?? `tab:${layout.subtitle.split(',')[0]!.replace(/[^a-z0-9]+/gi, '-')}`
  const caption = balanced(options.caption ?? `${escapeLatex(layout.title)} (${escapeLatex(layout.subtitle)}).`)
  const panels = floatsOf(panelsOf(layout, width), heightOf)
  const tables = panels.map((group, i) => [
    `\\caption{${caption}${panels.length === 1 ? '' : ` Part ${i + 1} of ${panels.length}.`}}`,
    `\\label{${safeLabel(label)}${i === 0 ? '' : `-${i + 1}`}}`,
    '\\footnotesize',
    `\\setlength{\\tabcolsep}{${GAP / 2}pt}`,
    ...group.flatMap((panel, at) => [...(at === 0 ? [] : ['', '\\medskip']), ...tabular(layout, panel, measure)]),
  ])
  // Long notes need pages of their own.
  const used = panels.at(-1)!.reduce((sum, panel) => sum + heightOf(panel), 0)
  const notes = numberedNotes(isOfSeveral ? { ...layout, runNotes: [] } : layout).map(({ mark, text }) =>
    mark === '' ? text : `${mark} ${text}`,
  )
  const [below, ...others] = floatsOf(notes, (note) => Math.ceil((note.length * CHARACTER) / width), used)
  tables.at(-1)!.push(...printedNotes(below ?? []))
  const environment = options.isWide ? 'table*' : 'table'
  const floats = [...tables, ...others.map((group) => ['\\footnotesize', ...printedNotes(group)])]
  // Provenance for the author, not for the reader.
  const comments = [...layout.runs, ...(isOfSeveral ? layout.runNotes : [])].map((line) => `% ${oneLine(line)}`)
  const printed = floats.flatMap((lines) => [
    `\\begin{${environment}}`,
    '\\centering',
    ...lines,
    `\\end{${environment}}`,
  ])
  return `${[...comments, ...printed].join('\n')}\n`
}

function printedNotes(notes: readonly string[]): string[] {
  if (notes.length === 0) return []
  return ['', '\\smallskip\\raggedright', ...notes.map((note) => `${breakable(escapeLatex(note))}\\par`)]
}

/** Models without provider and organization, where that leaves them different; the comments have the full names. */
function withShortNames(layout: Layout): Layout {
  const lines = layout.sections.flatMap(({ rows }) => rows)
  const short = ({ title }: Line): string => (isBaseline(title) ? title : title.replace(/^.*\/(?=.)/, ''))
  if (new Set(lines.map(short)).size < lines.length) return layout
  const sections = layout.sections.map(({ heading, rows }) => ({
    heading,
    rows: rows.map((line) => ({ ...line, title: short(line) })),
  }))
  return { ...layout, sections }
}

/** The first column: its share of the width of the table, in points. */
interface NameColumn {
  share: number
  width: number
}

/** Columns and rows that are printed as one block. */
interface Panel {
  names: NameColumn
  /** Indices of columns. */
  columns: readonly number[]
  sections: Layout['sections']
}

/** Packs columns, in order, into as few panels as fit the width; long tables are also cut between rows. */
function panelsOf(layout: Layout, width: number): Panel[] {
  const lines = layout.sections.flatMap(({ rows }) => rows)
  const widths = layout.columns.map((heading, i) => widthOfColumn(heading, lines, i) + GAP)
  const long = lines.filter((line) => isLong(line, { share: NAME_SHARES[0], width }))
  const areLong = layout.rowsAre === 'models' && long.length > lines.length / 3
  const [best] = (areLong ? NAME_SHARES.slice(-1) : NAME_SHARES.slice(0, -1))
    .map((share) => ({ share, groups: packed(widths, width * (1 - share)) }))
    .sort((a, b) => a.groups.length - b.groups.length)
  const names = { share: best!.share, width }
  return chunksOfRows(layout.sections, names).flatMap((sections) =>
    best!.groups.map((columns) => ({ names, columns, sections })),
  )
}

/** Indices of widths in as few groups as possible, none wider than `room`, all about as wide. */
function packed(widths: readonly number[], room: number): number[][] {
  const groups: number[][] = [[]]
  let used = 0
  for (const [i, width] of widths.entries()) {
    if (used + width > room && groups.at(-1)!.length > 0) {
      groups.push([])
      used = 0
    }
    groups.at(-1)!.push(i)
    used += width
  }
  const narrower = room - GAP
  if (groups.length === 1 || narrower < Math.max(...widths)) return groups
  const tighter = packed(widths, narrower)
  return tighter.length > groups.length ? groups : tighter
}

function widthOfColumn(heading: string, lines: readonly Line[], column: number): number {
  const words = headingLines(heading, HEADING_CHARACTERS).map((line) => line.length * CHARACTER)
  const cells = lines.map(({ cells }) => {
    const { value, interval, marks } = splitCell(cells[column] ?? '')
    // The interval stands below the value.
    return Math.max((value + marks).length * CHARACTER, interval.trim().length * SMALL_CHARACTER)
  })
  return Math.max(...words, ...cells)
}

/** Parts of a long table, each short enough for a page. */
function chunksOfRows(sections: Layout['sections'], names: NameColumn): Layout['sections'][] {
  const chunks: Layout['sections'][] = [[]]
  let height = 0
  for (const { heading, rows } of sections) {
    for (const [i, row] of rows.entries()) {
      height += linesOf(row, names)
      if (height > MAX_LINES - HEADING_LINES) {
        chunks.push([])
        height = linesOf(row, names)
      }
      const chunk = chunks.at(-1)!
      if (i === 0 || chunk.length === 0) chunk.push({ heading, rows: [] })
      chunk.at(-1)!.rows.push(row)
    }
  }
  return chunks.filter((chunk) => chunk.length > 0)
}

function linesOf(line: Line, names: NameColumn): number {
  const values = line.cells.some((cell) => cell.includes(' [')) ? 2 : 1
  return isLong(line, names)
    ? values + nameLines(line, { ...names, share: 1 })
    : Math.max(values, nameLines(line, names))
}

function nameLines({ title }: Line, { share, width }: NameColumn): number {
  return Math.ceil((title.length * CHARACTER) / (width * share * FILLED))
}

function isLong(line: Line, names: NameColumn): boolean {
  return nameLines(line, names) > (names.share === NAME_SHARES.at(-1) ? 1 : MAX_NAME_LINES)
}

function heightOf({ sections, names }: Panel): number {
  const rows = sections.flatMap((section) => section.rows)
  return HEADING_LINES + rows.reduce((sum, row) => sum + linesOf(row, names), 0)
}

/** As many parts in one float as fit a page; `used` lines of the first one are taken. */
function floatsOf<Part>(parts: readonly Part[], lines: (part: Part) => number, used = 0): Part[][] {
  const floats: Part[][] = [[]]
  let height = used
  for (const part of parts) {
    if (height + lines(part) > MAX_LINES && height > 0) {
      floats.push([])
      height = 0
    }
    floats.at(-1)!.push(part)
    height += lines(part)
  }
  return floats
}

function tabular(layout: Layout, { columns, sections, names }: Panel, width: string): string[] {
  const row = (cells: readonly string[]): string => `${cells.join(' & ')} \\\\`
  const boxed = (text: string, share: number): string =>
    `\\parbox[t]{${share === 1 ? '' : share}${width}}{\\raggedright ${text}}`
  // Without a width of its own, so the columns keep theirs.
  const spanning = (text: string): string => row([`\\makebox[0pt][l]{${boxed(text, 1)}}`, ...columns.map(() => '')])
  const lines = [
    `\\begin{tabular*}{${width}}{@{\\extracolsep{\\fill}}l${'r'.repeat(columns.length)}@{}}`,
    '\\toprule',
    row(['', ...columns.map((i) => stack(headingLines(layout.columns[i]!, HEADING_CHARACTERS).map(escapeLatex)))]),
    '\\midrule',
  ]
  for (const [i, { heading, rows }] of sections.entries()) {
    if (i > 0) lines.push(layout.rowsAre === 'models' ? '\\midrule' : '\\addlinespace')
    if (heading !== null && layout.rowsAre === 'metrics') lines.push(spanning(`\\emph{${escapeLatex(heading)}}`))
    for (const line of rows) {
      const title = breakable(escapeLatex(line.title))
      const cells = columns.map((column) => scoreCell(line.cells[column] ?? '', line, column))
      const name = line.isHeadline ? `\\textbf{${title}}` : title
      if (isLong(line, names)) lines.push(spanning(name), row([boxed('', names.share), ...cells]))
      else lines.push(row([boxed(name, names.share), ...cells]))
    }
  }
  return [...lines, '\\bottomrule', '\\end{tabular*}']
}

function scoreCell(cell: string, { best, second }: Line, column: number): string {
  const { value, interval, marks } = splitCell(cell)
  const text = escapeLatex(value)
  const ranked = best.has(column) ? `\\textbf{${text}}` : second.has(column) ? `\\underline{${text}}` : text
  const marked = ranked + escapeLatex(marks)
  return interval === '' ? marked : stack([marked, `{\\scriptsize ${escapeLatex(interval.trim())}}`], '[t]')
}

/** Lines of text above each other, in a table of their own: `\shortstack` has no space between lines. */
function stack(lines: readonly string[], position = '[b]'): string {
  return lines.length === 1 ? lines[0]! : `\\begin{tabular}${position}{@{}r@{}}${lines.join('\\\\')}\\end{tabular}`
}

/** Lets long names break after punctuation. */
function breakable(escaped: string): string {
  return escaped.replace(/(\\_|[/:@-]|\.(?!\d))(?=\S)/g, '$1\\allowbreak{}')
}

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
  '"': "''",
  // After the end of a row, these would be arguments.
  '[': '{[}',
  '*': '{*}',
  // Accents and active characters of some languages.
  '`': '\\textasciigrave{}',
  '\u00a0': ' ',
  '–': '--',
  '—': '---',
  '’': "'",
  '‘': '\\textquoteleft{}',
  '“': '\\textquotedblleft{}',
  '”': '\\textquotedblright{}',
  '−': '$-$',
  '↓': '$\\downarrow$',
  '→': '$\\rightarrow$',
  '·': '$\\cdot$',
  '°': '$^\\circ$',
  '×': '$\\times$',
  '≥': '$\\geq$',
  '≤': '$\\leq$',
  '…': '\\ldots{}',
  '†': '$\\dagger$',
}

const MARKS = '⁰¹²³⁴⁵⁶⁷⁸⁹'
/** ASCII and the letters of European languages, which every LaTeX engine can print. */
const PRINTABLE = /[\u0020-\u007e\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e]/

/** Text that prints as it is and does nothing else. Characters that pdfLaTeX cannot print become their code points. */
export function escapeLatex(text: string): string {
  // Superscript digits are footnote marks, except in units such as m².
  return text.replace(/(?<=\p{L})[²³](?!\p{L})|[⁰¹²³⁴⁵⁶⁷⁸⁹]+|[^a-zA-Z0-9 ]/gu, (found, at: number) => {
    if ((found === '²' || found === '³') && /\p{L}/u.test(text[at - 1] ?? '')) return `$^${MARKS.indexOf(found)}$`
    if (MARKS.includes(found[0]!))
      return `\\textsuperscript{${found.replace(/./g, (mark) => String(MARKS.indexOf(mark)))}}`
    if (COMMANDS[found] !== undefined) return COMMANDS[found]
    if (/[\p{Cc}\p{Cf}\s]/u.test(found)) return ' '
    return PRINTABLE.test(found) ? found : `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
  })
}

/** A comment ends with its line. */
function oneLine(text: string): string {
  return printable(text, ' ')
}

/** A caption is LaTeX code of the user's own; only the braces must match. */
function balanced(code: string): string {
  let depth = 0
  for (const char of code.replaceAll(/\\./g, '')) {
    if (char === '{') depth += 1
    if (char === '}') depth -= 1
    if (depth < 0) break
  }
  return depth === 0 ? oneLine(code).replaceAll(/(?<!\\)%/g, '\\%') : escapeLatex(code)
}

function safeLabel(label: string): string {
  return label.replace(/[^\w:.-]+/g, '-')
}
