/** A table for the terminal: aligned columns, no colors. */
import { padEnd, padStart, printable, widthOf } from '../../base/display-width.ts'
import type { Layout } from './layout.ts'
import { numberedNotes } from './layout.ts'

const GAP = '  '

export function renderTable(layout: Layout): string {
  const rows = layout.sections.flatMap(({ rows }) => rows)
  const titleWidth = Math.max(...rows.map(({ title }) => widthOf(title) + 2), 0)
  const columns = layout.columns.map((heading, column) =>
    columnOf(
      heading,
      rows.map(({ cells }) => cells[column] ?? ''),
    ),
  )
  const lines = [layout.title, layout.subtitle, ...layout.runs, '']
  const line = (title: string, cells: readonly string[]): string =>
    [padEnd(title, titleWidth), ...cells].join(GAP).trimEnd()
  const rule = '─'.repeat(titleWidth + columns.reduce((sum, { width }) => sum + width + GAP.length, 0))
  lines.push(
    line(
      '',
      layout.columns.map((heading, i) => padStart(heading, columns[i]!.width)),
    ),
    rule,
  )
  for (const { heading, rows: inSection } of layout.sections) {
    if (heading !== null) lines.push('', heading)
    for (const { title, cells, isHeadline } of inSection) {
      const aligned = cells.map((cell, i) => alignCell(cell, columns[i]!))
      lines.push(line(`${isHeadline ? '▸' : ' '} ${title}`, aligned))
    }
  }
  lines.push(rule)
  for (const { mark, text } of numberedNotes(layout)) lines.push(mark === '' ? text : `${mark} ${text}`)
  // Names are untrusted: strip characters that would move the cursor or change colors.
  return `${lines.map((line) => printable(line)).join('\n')}\n`
}

interface Column {
  width: number
  /** Widths of the value and of its interval. */
  value: number
  interval: number
}

function columnOf(heading: string, cells: readonly string[]): Column {
  const parts = cells.map((cell) => splitCell(cell))
  const value = Math.max(0, ...parts.map((part) => widthOf(part.value)))
  const interval = Math.max(0, ...parts.map((part) => widthOf(part.interval)))
  return { value, interval, width: Math.max(widthOf(heading), value + interval) }
}

function splitCell(cell: string): { value: string; interval: string } {
  const at = cell.indexOf(' [')
  return at < 0 ? { value: cell, interval: '' } : { value: cell.slice(0, at), interval: cell.slice(at) }
}

/** Aligns values with values and intervals with intervals. */
function alignCell(cell: string, { width, value, interval }: Column): string {
  const parts = splitCell(cell)
  return padStart(padStart(parts.value, value) + padEnd(parts.interval, interval), width)
}
