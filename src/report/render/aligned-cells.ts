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
  const interval = Math.max(0, ...parts.map((part) => widthOf(part.interval)))
  return { value, interval, width: value + interval }
}

export function splitCell(cell: string): { value: string; interval: string } {
  const at = cell.indexOf(' [')
  return at < 0 ? { value: cell, interval: '' } : { value: cell.slice(0, at), interval: cell.slice(at) }
}

/** Aligns values with values and intervals with intervals. */
export function alignCell(cell: string, { width, value, interval }: Column): string {
  const parts = splitCell(cell)
  return padStart(padStart(parts.value, value) + padEnd(parts.interval, interval), width)
}

/** Pieces of a heading that are longer than this are cut, unless the cells are wider. */
const MAX_PIECE = 12

/** A heading in several lines, broken after spaces and slashes: `baseline/`, `random`. */
export function headingLines(heading: string, cellWidth: number): string[] {
  const pieces = heading.split(/(?<=[ /])/)
  const longest = Math.max(...pieces.map((piece) => widthOf(piece.trimEnd())))
  const width = Math.max(cellWidth, Math.min(MAX_PIECE, longest))
  const lines: string[] = []
  for (const piece of pieces) {
    const last = lines.at(-1)
    if (last !== undefined && widthOf((last + piece).trimEnd()) <= width) lines[lines.length - 1] = last + piece
    else lines.push(widthOf(piece.trimEnd()) <= width ? piece : cutMiddle(piece.trimEnd(), width))
  }
  return lines.map((line) => line.trimEnd())
}

/** The lines of all headings, aligned at the bottom. */
export function headingRows(columns: readonly { heading: readonly string[]; width: number }[]): string[][] {
  const height = Math.max(0, ...columns.map(({ heading }) => heading.length))
  return Array.from({ length: height }, (_, i) =>
    columns.map(({ heading, width }) => padStart(heading[i - height + heading.length] ?? '', width)),
  )
}
