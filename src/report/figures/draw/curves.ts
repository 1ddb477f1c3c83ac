/** Draws scores along an axis, with bands for their intervals. */
import { areaY, dot, lineY, type Markish, ruleX } from '@observablehq/plot'
import { formatWithInterval } from '../../format.ts'
import type { CurveFigure, CurvePanel, CurvePoint } from '../figure.ts'
import { axisRoom, formatTick, horizontalAxis, scoreDomain, tickFormat, verticalAxis } from './axis.ts'
import { grid } from './grid.ts'
import { heading } from './heading.ts'
import { legend } from './legend.ts'
import { below, heightOf, type Part, place, type Sheet } from './sheet.ts'
import { cleanText, textWidth } from './text.ts'
import { seriesStyle } from './theme.ts'

/** Half of the last tick is outside of the plot. */
const MIN_RIGHT = 10
const MIN_WIDTH = 200
const ASPECT = 0.62

export function drawCurves(sheet: Sheet, { series, panels }: CurveFigure): Part[] {
  const parts = grid(sheet, panels, MIN_WIDTH, (panel, width) => [drawPanel(sheet, panel, series, width)])
  const names = series.length === 1 ? [] : series
  const items = names.map((name, i) => ({ kind: 'series', name, style: seriesStyle(sheet.theme, i) }) as const)
  return [...parts, ...below(heightOf(parts), legend(sheet, items))]
}

function drawPanel(
  sheet: Sheet,
  { title, xTitle, xNames, unit, lines, now }: CurvePanel,
  series: readonly string[],
  width: number,
): Part {
  const { theme, smallSize } = sheet
  const points = lines.flat()
  const domain = scoreDomain(unit, points, [])
  const left = Math.ceil(Math.max(...domain.map((end) => textWidth(tickFormat(unit)(end), smallSize)))) + 10
  const head = heading(sheet, title === '' ? '' : `${title}${unit === 'percent' ? ' (%)' : ''}`, width)
  const xs = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b)
  const height = Math.round(width * ASPECT)
  const nameOf = (x: number): string => xNames?.[x - 1] ?? formatTick(x)
  const marks: Markish[] = [
    ...head.marks({ left, top: head.height }),
    verticalAxis(sheet, { ticks: 5, tickFormat: tickFormat(unit) }),
    horizontalAxis(sheet, { label: xTitle, ticks: xs.length <= 6 ? xs : 5, tickFormat: nameOf }),
    ruleX(now === undefined ? [] : [now], { stroke: theme.accent, strokeWidth: 1.5 }),
    lines.map((line, i) => {
      const { color, symbol } = seriesStyle(theme, i)
      const known = line.filter(({ value }) => value !== null)
      return [
        areaY(
          known.filter(({ interval }) => interval !== null),
          {
            x: 'x',
            y1: ({ interval }: CurvePoint) => interval![0],
            y2: ({ interval }: CurvePoint) => interval![1],
            fill: color,
            fillOpacity: 0.16,
          },
        ),
        lineY(known, { x: 'x', y: 'value', stroke: color, strokeWidth: 1.5 }),
        dot(known, {
          x: 'x',
          y: 'value',
          fill: color,
          symbol,
          r: 2.6,
          // The viewer finds out with it which point was clicked.
          ariaLabel: ({ x }: CurvePoint) => String(x),
          title: ({ x, value, interval }: CurvePoint) =>
            `${[cleanText(series[i] ?? ''), `${xTitle} ${nameOf(x)}`].filter(Boolean).join(', ')}: ${formatWithInterval(value, interval, unit)}`,
        }),
      ]
    }),
  ]
  return place(
    sheet,
    {},
    {
      width,
      height: height + head.height + axisRoom(sheet),
      marginTop: head.height,
      marginBottom: axisRoom(sheet),
      marginLeft: left,
      marginRight: Math.max(MIN_RIGHT, Math.ceil(textWidth(nameOf(xs.at(-1)!), smallSize) / 2)),
      x: { domain: [xs[0]!, xs.length > 1 ? xs.at(-1)! : xs[0]! + 1] },
      y: { domain },
      marks,
    },
  )
}
