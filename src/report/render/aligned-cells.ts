/** Cells of a column: `62.1 [58.0, 66.3]` with values below values and intervals below intervals. */
import { cutMiddle, padEnd, padStart, widthOf } from '../../base/display-width.ts'

export interface Column {
  width: number
  /** Widths of the value and of its interval. */
  value: number
  interval: number
}

export function columnOf(cells: readonly string[]): Column {
  const parts = cells.map((cell) => splitCell(cell))
  const value = Math.max(0, ...parts.map((part) => widthOf(part.value)))
  const interval = Math.max(0, ...parts.map((part) => widthOf(part.interval + part.marks)))
  return { value, interval, width: value + interval }
}

/** A value, its interval, and the footnote marks after the interval; those of a value without interval belong to it. */
export function splitCell(cell: string): { value: string; interval: string; marks: string } {
  const at = cell.indexOf(' [')
  if (at < 0) return { value: cell, interval: '', marks: '' }
  const end = cell.lastIndexOf(']') + 1
  return { value: cell.slice(0, at), interval: cell.slice(at, end), marks: cell.slice(end) }
}

/** The same cell without its interval. */
export function withoutInterval(cell: string): string {
  const { value, marks } = splitCell(cell)
  return value + marks
}

/** Aligns values with values and intervals with intervals. */
export function alignCell(cell: string, { width, value, interval }: Column): string {
  const parts = splitCell(cell)
  return padStart(padStart(parts.value, value) + padEnd(parts.interval + parts.marks, interval), width)
}

/** Pieces of a heading that are longer than this are cut, unless the cells are wider. */
const MAX_PIECE = 12

/** A heading in several lines, broken after spaces and slashes: `baseline/`, `random`. Longer pieces stay whole. */
export function headingLines(heading: string, width: number): string[] {
  const lines: string[] = []
  for (const piece of heading.split(/(?<=[ /])/)) {
    const last = lines.at(-1)
    if (last !== undefined && widthOf((last + piece).trimEnd()) <= width) lines[lines.length - 1] = last + piece
    else lines.push(piece)
  }
  return lines.map((line) => line.trimEnd())
}

/** A heading in lines that are hardly wider than the cells below. */
export function fittedHeading(heading: string, cellWidth: number): string[] {
  const longest = Math.max(...headingLines(heading, 0).map(widthOf))
  const width = Math.max(cellWidth, Math.min(MAX_PIECE, longest))
  return headingLines(heading, width).map((line) => cutMiddle(line, width))
}

/** The lines of all headings, aligned at the bottom. */
export function headingRows(columns: readonly { heading: readonly string[]; width: number }[]): string[][] {
  const height = Math.max(0, ...columns.map(({ heading }) => heading.length))
  return Array.from({ length: height }, (_, i) =>
    columns.map(({ heading, width }) => padStart(heading[i - height + heading.length] ?? '', width)),
  )
}
