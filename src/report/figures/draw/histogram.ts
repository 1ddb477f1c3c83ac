/** Draws a histogram. */
import { rectY } from '@observablehq/plot'
import type { HistogramFigure } from '../figure.ts'
import { axisRoom, formatTick, horizontalAxis, verticalAxis } from './axis.ts'
import { type Part, place, type Sheet } from './sheet.ts'
import { textWidth } from './text.ts'

const HEIGHT = 110
const TOP = 6

export function drawHistogram(sheet: Sheet, { start, width, counts, ticks }: HistogramFigure): Part[] {
  const most = Math.max(1, ...counts)
  const left = Math.ceil(textWidth(formatTick(most), sheet.smallSize)) + 10
  const bins = counts.map((count, i) => ({ count, from: start + i * width, to: start + (i + 1) * width }))
  return [
    place(
      sheet,
      {},
      {
        height: TOP + HEIGHT + axisRoom(sheet) * 0.6,
        marginTop: TOP,
        marginBottom: axisRoom(sheet) * 0.6,
        marginLeft: left,
        marginRight: 12,
        x: { domain: [start, start + width * counts.length] },
        y: { domain: [0, most * 1.02] },
        marks: [
          verticalAxis(sheet, { ticks: 3, tickFormat: (value) => (Number.isInteger(value) ? formatTick(value) : '') }),
          horizontalAxis(sheet, {
            label: '',
            ticks: ticks.map(({ x }) => x),
            tickFormat: (x) => ticks.find((tick) => tick.x === x)?.label ?? '',
          }),
          rectY(bins, { x1: 'from', x2: 'to', y: 'count', fill: sheet.theme.accent, inset: 0.5 }),
        ],
      },
    ),
  ]
}
