/** Draws numeric answers against the ground truth: right answers are on the diagonal. */
import { dot, link, type Markish } from '@observablehq/plot'
import { groupBy } from '../../../base/group.ts'
import type { ScatterFigure, ScatterPanel, ScatterPoint } from '../figure.ts'
import { axisRoom, horizontalAxis, tickFormat, verticalAxis } from './axis.ts'
import { grid } from './grid.ts'
import { heading } from './heading.ts'
import { legend } from './legend.ts'
import { below, heightOf, type Part, place, type Sheet } from './sheet.ts'
import { textWidth } from './text.ts'
import { seriesStyle } from './theme.ts'

/** Half of the last tick is outside of the plot. */
const RIGHT = 10
const MIN_WIDTH = 150
const MIN_WIDTH_IN_COLUMN = 110
/** Points of one panel; those nearer than this many pixels are drawn as one. */
const MAX_POINTS = 1500
const MERGED_WITHIN = 3
/** With more equal points than this, dots are as large as their share of the largest one. */
const MAX_COUNTED = 11

export function drawScatter(sheet: Sheet, { series, panels }: ScatterFigure): Part[] {
  const minWidth = sheet.width < 320 ? MIN_WIDTH_IN_COLUMN : MIN_WIDTH
  const parts = grid(sheet, panels, minWidth, (panel, width) => [drawPanel(sheet, panel, series.length, width)])
  const names = series.length === 1 ? [] : series
  const items = names.map((name, i) => ({ kind: 'series', name, style: seriesStyle(sheet.theme, i) }) as const)
  return [...parts, ...below(heightOf(parts), legend(sheet, items))]
}

function drawPanel(
  sheet: Sheet,
  { title, axes, isShare = false, isLogarithmic, points }: ScatterPanel,
  runs: number,
  width: number,
): Part {
  const { theme, smallSize } = sheet
  const format = tickFormat(isShare ? 'percent' : 'number')
  const domain = domainOf(points, isLogarithmic, isShare)
  const type = isLogarithmic ? 'log' : 'linear'
  const left = Math.ceil(Math.max(...domain.map((end) => textWidth(format(end), smallSize)), smallSize * 2.4)) + 10
  const head = heading(sheet, title, width)
  const plotSize = width - left - RIGHT
  const ticks = isLogarithmic ? decadeTicks(domain, plotSize) : plotSize < 110 ? 3 : 4
  const marks: Markish[] = [
    ...head.marks({ left, top: head.height }),
    verticalAxis(sheet, { ticks, tickFormat: format }),
    horizontalAxis(sheet, { label: axes, ticks, tickFormat: format }),
    link([domain], { x1: '0', y1: '0', x2: '1', y2: '1', stroke: theme.soft, strokeDasharray: '3 2' }),
    Array.from({ length: runs }, (_, i) => {
      const { color, symbol } = seriesStyle(theme, i)
      const own = merged(
        points.filter((point) => point.series === i),
        domain,
        isLogarithmic,
        plotSize,
      )
      const most = Math.max(...own.map(({ count }) => count))
      return dot(own, {
        x: 'x',
        y: 'y',
        fill: color,
        fillOpacity: 0.5,
        symbol,
        r: ({ count }: Merged) => (most > MAX_COUNTED ? 2 + 9 * Math.sqrt(count / most) : 2.4 * Math.sqrt(count)),
        title: ({ x, y, count }: Merged) => `${format(x)}, ${format(y)}${count > 1 ? ` (${count})` : ''}`,
      })
    }),
  ]
  return place(
    sheet,
    {},
    {
      width,
      height: head.height + plotSize + axisRoom(sheet),
      marginTop: head.height,
      marginBottom: axisRoom(sheet),
      marginLeft: left,
      marginRight: RIGHT,
      x: { type, domain },
      y: { type, domain },
      r: { type: 'identity' },
      marks,
    },
  )
}

/** The same on both axes. */
function domainOf(points: readonly ScatterPoint[], isLogarithmic: boolean, isShare: boolean): [number, number] {
  const values = points.flatMap(({ x, y }) => [x, y])
  const [least, most] = values.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  )
  if (isLogarithmic) return [least / 1.25, most * 1.25]
  const low = Math.min(0, least)
  if (isShare) return [low, Math.max(1, most)]
  return [low, most > low ? most * 1.04 : low + 1]
}

function decadeTicks([low, high]: [number, number], size: number): number[] {
  const decades = Math.log10(high / low)
  const perDecade = size / 27 / decades
  const steps = perDecade >= 3 ? [1, 2, 5] : perDecade >= 1.5 ? [1, 3] : [1]
  const every = Math.max(1, Math.ceil(decades / 5))
  const ticks: number[] = []
  for (let decade = Math.floor(Math.log10(low)); decade <= Math.log10(high); decade++) {
    if (decade % every === 0) ticks.push(...steps.map((step) => step * 10 ** decade))
  }
  return ticks.filter((tick) => tick >= low && tick <= high)
}

type Merged = Required<ScatterPoint>

/** Equal points are one larger dot; of very many points, also those that are almost equal. */
function merged(
  points: readonly ScatterPoint[],
  [low, high]: [number, number],
  isLogarithmic: boolean,
  size: number,
): Merged[] {
  const isMany = points.length > MAX_POINTS
  const position = (value: number): number => {
    if (!isMany) return value
    const share = isLogarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low)
    return Math.round((share * size) / MERGED_WITHIN)
  }
  const groups = groupBy(points, ({ x, y }) => `${position(x)} ${position(y)}`)
  return [...groups.values()].map((group) => ({
    ...group[0]!,
    count: group.reduce((sum, { count = 1 }) => sum + count, 0),
  }))
}
