/** Draws shares or scores in a grid. Cells are shaded by opacity, which works on light and dark paper. */
import { cell, type Markish, text } from '@observablehq/plot'
import type { MatrixFigure, MatrixPanel } from '../figure.ts'
import { grid } from './grid.ts'
import { heading } from './heading.ts'
import { legend } from './legend.ts'
import { below, heightOf, type Part, place, type Sheet } from './sheet.ts'
import { LINE_HEIGHT, textWidth, wrapText } from './text.ts'

const MIN_WIDTH = 110
const MAP_WIDTH = 180
const NAMES_SHARE = 0.36
const GAP = 6
/** Names of columns are turned if they need more lines than this. */
const MAX_LINES = 2
/** Opacity of a zero, to show that there is a cell. */
const LIGHTEST = 0.05
/** Darker cells have text in the color of the paper. */
const DARK_FROM = 0.6

export function drawMatrix(sheet: Sheet, { panels, marks = [] }: MatrixFigure): Part[] {
  const needed = panels.map(({ rows, columns, isMap }) =>
    isMap ? MAP_WIDTH : namesWidthOf(sheet, rows) + columns.length * sheet.fontSize * 3.2,
  )
  const drawn = grid(sheet, panels, Math.max(MIN_WIDTH, ...needed), (panel, width) => [
    drawPanel(sheet, panel, width, panels.length > 1),
  ])
  const key = marks.map(({ mark, name }) => ({ kind: 'mark', mark, name, color: sheet.theme.ink }) as const)
  return [...drawn, ...below(heightOf(drawn), legend(sheet, key))]
}

function namesWidthOf({ fontSize }: Sheet, rows: readonly string[]): number {
  return Math.max(...rows.map((row) => textWidth(row, fontSize)))
}

function drawPanel(sheet: Sheet, panel: MatrixPanel, width: number, withTitle: boolean): Part {
  const { theme, fontSize, smallSize } = sheet
  const { cells, isMap = false } = panel
  const [rows, columns] = isMap ? [panel.rows.map(() => ''), panel.columns.map(() => '')] : [panel.rows, panel.columns]
  const head = heading(sheet, withTitle ? panel.title : '', width)
  const namesWidth = Math.min(namesWidthOf(sheet, rows), width * NAMES_SHARE)
  const left = Math.ceil(namesWidth) + GAP
  const columnWidth = (width - left) / columns.length
  const columnLines = columns.map((column) => wrapText(column, columnWidth - 3, smallSize, 6))
  const isBroken = (word: string): boolean => textWidth(word, smallSize) > columnWidth - 3
  const isTurned = columnLines.some(({ length }) => length > MAX_LINES) || columns.join(' ').split(' ').some(isBroken)
  const longest = Math.max(...columns.map((column) => textWidth(column, smallSize)))
  const namesHeight = isMap
    ? 0
    : isTurned
      ? Math.min(longest, 120)
      : Math.max(...columnLines.map(({ length }) => length)) * smallSize * LINE_HEIGHT
  const titleHeight = panel.columnTitle === '' ? 0 : smallSize * LINE_HEIGHT
  const top = Math.ceil(head.height + titleHeight + namesHeight + GAP)
  const rowLines = rows.map((row) => wrapText(row, namesWidth, fontSize))
  const textHeight = Math.max(...rowLines.map(({ length }) => length)) * fontSize * LINE_HEIGHT + 4
  const rowHeight = isMap ? columnWidth : Math.max(fontSize * 2.1, textHeight)
  const filled = cells.flatMap((line, row) =>
    line.flatMap((each, column) => (each === null ? [] : [{ ...each, row, column }])),
  )
  type Filled = (typeof filled)[number]
  const size = Math.min(smallSize, (columnWidth - 4) / Math.max(...filled.map((each) => textWidth(each.text, 1)), 1))
  const marks: Markish[] = [
    ...head.marks({ left, top }),
    cell(filled, {
      x: 'column',
      y: 'row',
      fill: theme.accent,
      fillOpacity: ({ shade }: Filled) => LIGHTEST + (1 - LIGHTEST) * shade,
      inset: 0.75,
      title: ({ row, column, text: value }: Filled) => `${panel.rows[row]}, ${panel.columns[column]}: ${value}`,
    }),
    text(filled, {
      x: 'column',
      y: 'row',
      text: 'text',
      fontSize: size,
      fill: ({ shade }: Filled) => (shade > DARK_FROM ? theme.onAccent : theme.ink),
    }),
    text(
      rowLines.map((lines) => lines.join('\n')),
      {
        y: (_: string, i: number) => i,
        frameAnchor: 'left',
        textAnchor: 'end',
        dx: -GAP / 2,
        lineHeight: LINE_HEIGHT,
        text: (name: string) => name,
        fontSize,
        fill: theme.ink,
      },
    ),
    isTurned
      ? text(
          columns.map((column) => wrapText(column, 120, smallSize, 1)[0]!),
          {
            x: (_: string, i: number) => i,
            frameAnchor: 'top',
            textAnchor: 'start',
            rotate: -90,
            dy: -GAP / 2,
            text: (name: string) => name,
            fontSize: smallSize,
            fill: theme.ink,
          },
        )
      : text(
          columnLines.map((lines) => lines.join('\n')),
          {
            x: (_: string, i: number) => i,
            frameAnchor: 'top',
            lineAnchor: 'bottom',
            dy: -GAP / 2,
            lineHeight: LINE_HEIGHT,
            text: (name: string) => name,
            fontSize: smallSize,
            fill: theme.ink,
          },
        ),
    text(panel.columnTitle === '' ? [] : [`${panel.rowTitle} ↓  ${panel.columnTitle} →`], {
      frameAnchor: 'top-left',
      dx: -left,
      dy: -namesHeight - GAP - titleHeight,
      text: (title: string) => title,
      fontSize: smallSize,
      fill: theme.soft,
    }),
  ]
  return place(
    sheet,
    {},
    {
      width,
      height: top + rowHeight * rows.length + 4,
      marginTop: top,
      marginBottom: 4,
      marginLeft: left,
      marginRight: 0,
      x: { type: 'band', domain: columns.map((_, i) => i), axis: null, padding: 0 },
      y: { type: 'band', domain: rows.map((_, i) => i), axis: null, padding: 0 },
      opacity: { type: 'identity' },
      color: { type: 'identity' },
      marks,
    },
  )
}
