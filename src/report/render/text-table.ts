/** A table for the terminal: aligned columns, no colors. */
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

function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text))) + text
}

function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** Display width in a terminal: 0 for combining marks, 2 for East Asian wide characters and emoji. */
export function widthOf(text: string): number {
  let width = 0
  for (const char of printable(text)) {
    if (/\p{M}/u.test(char) || char === '\u200d') continue
    width +=
      /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u.test(
        char,
      )
        ? 2
        : 1
  }
  return width
}

export function printable(text: string): string {
  return text.replace(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '�')
}
