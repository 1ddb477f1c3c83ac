/** Runs as rows and scores as columns, in as many blocks as the terminal needs: for runs that do not fit side by side. */
import { cutMiddle, padEnd, widthOf } from '../../base/display-width.ts'
import { alignCell, type Column, columnOf, fittedHeading, headingRows, withoutInterval } from './aligned-cells.ts'
import type { Layout, Line } from './layout.ts'
import { NONE } from '../format.ts'

const GAP = '  '
const MIN_NAME_WIDTH = 12
/** Names take at most this share of the width. */
const NAME_SHARE = 0.38

interface ScoreColumn extends Column {
  /** Lines of the heading. */
  heading: string[]
  cells: string[]
}

/** @param all with the intervals of all scores, not only of the headline */
export function modelRows(layout: Layout, width: number, all: boolean): { lines: string[]; leftOut: string[] } {
  // The number of episodes is in the lines about the runs.
  const references = layout.columns.slice(layout.runColumns).map((name) => (name === 'n' && !all ? null : name))
  const names = layout.columns.slice(0, layout.runColumns)
  const longest = Math.max(...[...names, ...references.filter((name) => name !== null)].map(widthOf))
  const nameWidth = Math.min(longest, Math.max(MIN_NAME_WIDTH, Math.floor(width * NAME_SHARE)))
  const lines: string[] = []
  for (const { heading, rows } of layout.sections) {
    const columns = rows.map((row) => scoreColumn(row, all || row.isHeadline))
    for (const block of blocksOf(columns, width - nameWidth)) {
      if (lines.length > 0) lines.push('')
      lines.push(...blockLines(block, { heading: heading ?? '', names, references, nameWidth }))
    }
  }
  return { lines, leftOut: all ? [] : ['the intervals of parts'] }
}

function scoreColumn({ title, cells: all, isHeadline }: Line, hasInterval: boolean): ScoreColumn {
  const cells = hasInterval ? [...all] : all.map(withoutInterval)
  const column = columnOf(cells)
  const heading = fittedHeading(isHeadline ? `▸ ${title}` : title, column.width)
  return { ...column, width: Math.max(column.width, ...heading.map(widthOf)), heading, cells }
}

/** As many columns per block as fit. */
function blocksOf(columns: readonly ScoreColumn[], width: number): ScoreColumn[][] {
  const blocks: ScoreColumn[][] = []
  let left = 0
  for (const column of columns) {
    left -= GAP.length + column.width
    if (left < 0 || blocks.length === 0) {
      blocks.push([])
      left = width - GAP.length - column.width
    }
    blocks.at(-1)!.push(column)
  }
  return blocks
}

function blockLines(
  block: readonly ScoreColumn[],
  {
    heading,
    names,
    references,
    nameWidth,
  }: { heading: string; names: readonly string[]; references: readonly (string | null)[]; nameWidth: number },
): string[] {
  const line = (name: string, cells: readonly string[]): string =>
    [padEnd(cutMiddle(name, nameWidth), nameWidth), ...cells].join(GAP).trimEnd()
  const headings = headingRows(block).map((cells, i, { length }) => line(i === length - 1 ? heading : '', cells))
  const row = (name: string, i: number): string =>
    line(
      name,
      block.map((column) => alignCell(column.cells[i] ?? '', column)),
    )
  const isGiven = (i: number): boolean => block.some(({ cells }) => (cells[names.length + i] ?? NONE) !== NONE)
  const rule = '─'.repeat(block.reduce((sum, column) => sum + GAP.length + column.width, nameWidth))
  return [
    ...headings,
    rule,
    ...names.map((name, i) => row(name, i)),
    rule,
    ...references.flatMap((name, i) => (name !== null && isGiven(i) ? [row(name, names.length + i)] : [])),
  ]
}
