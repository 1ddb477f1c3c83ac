/** A table for the terminal: aligned columns, no colors. */
import { cutEnd, cutMiddle, padEnd, widthOf, wrapWords } from '../../base/display-width.ts'
import { printable } from '../../base/printable.ts'
import { plural } from '../../base/plural.ts'
import { alignCell, type Column, columnOf, fittedHeading, headingRows, withoutInterval } from './aligned-cells.ts'
import { mainKeys } from '../main-keys.ts'
import { modelRows } from './model-rows.ts'
import { type Layout, type Line, numberedNotes, type Section } from './layout.ts'

const GAP = '  '
const INDENT = '    '
const LIST = new Intl.ListFormat('en')

/** Notes that explain a sign: `↓: lower is better.`, `[low, high]: …` */
const LEGEND = /^(↓|\[low,)/

/** With more runs than this, they are rows. */
const MAX_RUN_COLUMNS = 6
/** Row titles are not cut below this. */
const MIN_TITLE_WIDTH = 18

/** The terminal that a table is fitted to. */
export interface Fit {
  width: number
  /** All rows and all intervals; otherwise the headline, its parts, and replies that are not answers. */
  all: boolean
  /** Default: models where they do not fit side by side. */
  rows?: 'models' | 'metrics'
  /** How to see what was left out: `Use --all or -o report.html.` */
  more: string
}

/** @param fit without it, the table is complete and as wide as it is */
export function renderTable(layout: Layout, fit?: Fit): string {
  const lines = fit ? fittedLines(layout, fit) : completeLines(layout)
  // Names are untrusted: strip characters that would move the cursor or change colors.
  return `${lines.map((line) => printable(line)).join('\n')}\n`
}

function completeLines(layout: Layout): string[] {
  const notes = numberedNotes(layout).map(({ mark, text }) => (mark === '' ? text : `${mark} ${text}`))
  return [layout.title, layout.subtitle, ...layout.runs, '', ...scoreRows(layout), ...notes]
}

function fittedLines(layout: Layout, { width, all, rows, more }: Fit): string[] {
  const sections = all ? layout.sections : mainSections(layout.sections)
  const chosen = { ...layout, sections }
  const isByModel = rows === 'models' && layout.runColumns > 0
  const shown = isByModel ? modelRows(chosen, width, all) : fitColumns(chosen, width, all)
  const wrap = (text: string, indent = ''): string[] =>
    wrapWords(text, width - indent.length).map((line, i) => (i === 0 ? line : indent + line))
  const runs = layout.runs.every((run) => widthOf(run) <= width) ? layout.runs : (layout.shortRuns ?? layout.runs)
  const text = shown.lines.join('\n')
  const notes = numberedNotes(layout)
    .filter(
      ({ mark, text: note }) =>
        layout.warnings.includes(note) || isUsed(mark === '' ? (LEGEND.exec(note)?.[1] ?? '') : mark, text),
    )
    .flatMap(({ mark, text: note }) => wrap(mark === '' ? note : `${mark} ${note}`, mark === '' ? '' : '  '))
  const hiddenRows = rowCount(layout.sections) - rowCount(sections)
  const leftOut = [...(hiddenRows > 0 ? [plural(hiddenRows, 'row')] : []), ...shown.leftOut]
  return [
    ...wrap(layout.title),
    ...wrap(layout.subtitle),
    ...runs.flatMap((run) => wrapParts(run, width)),
    '',
    ...shown.lines.map((line) => cutEnd(line, width)),
    ...notes,
    ...(leftOut.length === 0 ? [] : wrap(`Not shown: ${LIST.format(leftOut)}. ${more}`)),
  ]
}

/** Breaks a line about a run between its parts. */
function wrapParts(text: string, width: number): string[] {
  const lines: string[] = []
  for (const part of text.split(' · ')) {
    const last = lines.at(-1)
    if (last !== undefined && widthOf(`${last} · ${part}`) <= width) lines[lines.length - 1] = `${last} · ${part}`
    else if (last === undefined) lines.push(...wrapWords(part, width))
    else lines.push(...wrapWords(part, width - INDENT.length).map((line) => INDENT + line))
  }
  return lines
}

/** Whether a legend such as `↓: lower is better.` explains something in the table. */
function isUsed(legend: string, table: string): boolean {
  return legend === '' || (legend === '[low,' ? /\[|95% low/.test(table) : table.includes(legend))
}

function mainSections(sections: readonly Section[]): Section[] {
  const main = mainKeys(sections.flatMap(({ rows }) => rows))
  return sections
    .map(({ heading, rows }) => ({ heading, rows: rows.filter(({ key }) => main.has(key)) }))
    .filter(({ rows }) => rows.length > 0)
}

function rowCount(sections: readonly Section[]): number {
  return sections.reduce((sum, { rows }) => sum + rows.length, 0)
}

/**
 * Drops columns, cuts titles and leaves out intervals, in this order, until the table fits; runs that still do not fit
 * side by side become rows.
 */
function fitColumns(layout: Layout, width: number, all: boolean): { lines: string[]; leftOut: string[] } {
  const isTooWide = (candidate: Layout, maxTitle = MIN_TITLE_WIDTH): boolean => tableWidth(candidate, maxTitle) > width
  const attempts = all && layout.runColumns > 0 ? [layout] : [layout, withoutIntervals(layout)]
  for (const [i, attempt] of layout.runColumns > MAX_RUN_COLUMNS ? [] : attempts.entries()) {
    let fitted = attempt
    const dropped: string[] = []
    for (const heading of layout.droppable) {
      if (!isTooWide(fitted, Infinity)) break
      if (!fitted.columns.includes(heading)) continue
      fitted = withoutColumn(fitted, heading)
      dropped.push(heading)
    }
    if (isTooWide(fitted) && (layout.runColumns > 0 || i === 0)) continue
    const columns = dropped.length === 0 ? [] : [`the column${dropped.length > 1 ? 's' : ''} ${LIST.format(dropped)}`]
    const intervals = i === 0 ? [] : [layout.runColumns > 0 ? 'the intervals of parts' : 'intervals']
    return { lines: scoreRows(fitted, width), leftOut: [...columns, ...intervals] }
  }
  return modelRows(layout, width, all)
}

function withoutColumn(layout: Layout, heading: string): Layout {
  const at = layout.columns.indexOf(heading)
  const cells = mapLines(layout, (line) => ({ ...line, cells: line.cells.filter((_, i) => i !== at) }))
  return { ...cells, columns: layout.columns.filter((_, i) => i !== at) }
}

/** Values only; with several runs, the interval of the headline has rows of its own. */
function withoutIntervals(layout: Layout): Layout {
  const ends = (line: Line): Line[] => {
    const found = line.cells.map((cell) => /\[(.+), (.+)\]/.exec(cell))
    const isShown = layout.runColumns > 0 && line.isHeadline && found.some((match) => match !== null)
    return ['low', 'high'].slice(0, isShown ? 2 : 0).map((end, i) => ({
      ...line,
      title: `  95% ${end}`,
      cells: found.map((match) => match?.[i + 1] ?? ''),
      isHeadline: false,
    }))
  }
  return {
    ...layout,
    sections: layout.sections.map(({ heading, rows }) => ({
      heading,
      rows: rows.flatMap((line) => [{ ...line, cells: line.cells.map(withoutInterval) }, ...ends(line)]),
    })),
  }
}

function mapLines(layout: Layout, change: (line: Line) => Line): Layout {
  return { ...layout, sections: layout.sections.map((section) => ({ ...section, rows: section.rows.map(change) })) }
}

function tableWidth({ columns, sections, runColumns }: Layout, maxTitle: number): number {
  const rows = sections.flatMap((section) => section.rows)
  const titles = Math.min(maxTitle, Math.max(0, ...rows.map(({ title }) => widthOf(title)))) + 2
  return columnsOf(columns, rows, runColumns).reduce((sum, { width }) => sum + GAP.length + width, titles)
}

/** The names of runs may take several lines, if that makes their columns narrower. */
function columnsOf(
  headings: readonly string[],
  rows: readonly Line[],
  runColumns: number,
): (Column & { heading: string[] })[] {
  return headings.map((heading, i) => {
    const column = columnOf(rows.map(({ cells }) => cells[i] ?? ''))
    const lines = i < runColumns ? fittedHeading(heading, column.width) : [heading]
    return { ...column, heading: lines, width: Math.max(column.width, ...lines.map(widthOf)) }
  })
}

/** One row per score. @param width titles are cut to fit it */
function scoreRows({ columns: headings, sections, runColumns }: Layout, width = Infinity): string[] {
  const rows = sections.flatMap((section) => section.rows)
  const columns = columnsOf(headings, rows, Number.isFinite(width) ? runColumns : 0)
  const cellsWidth = columns.reduce((sum, column) => sum + GAP.length + column.width, 0)
  const longest = Math.max(0, ...rows.map(({ title }) => widthOf(title) + 2))
  const titleWidth = Math.max(0, Math.min(longest, width - cellsWidth))
  const line = (title: string, cells: readonly string[]): string =>
    [padEnd(cutMiddle(title, titleWidth), titleWidth), ...cells].join(GAP).trimEnd()
  const rule = '─'.repeat(titleWidth + cellsWidth)
  const lines = [...headingRows(columns).map((cells) => line('', cells)), rule]
  for (const { heading, rows: inSection } of sections) {
    if (heading !== null) lines.push('', heading)
    for (const { title, cells, isHeadline } of inSection) {
      const aligned = cells.map((cell, i) => alignCell(cell, columns[i]!))
      lines.push(line(`${isHeadline ? '▸' : ' '} ${title}`, aligned))
    }
  }
  return [...lines, rule]
}
