/** Draws scores against cost: a logarithmic axis, with runs that are free or of unknown cost apart from it. */
import { dot, link, type Markish, text } from '@observablehq/plot'
import { formatUsd, formatValue, formatWithInterval } from '../../format.ts'
import type { CostFigure, CostPanel, CostPoint } from '../figure.ts'
import { axisRoom, horizontalAxis, PIXELS, scaleTitle, scoreDomain, tickFormat, verticalAxis } from './axis.ts'
import { type Box, placeLabels } from './labels.ts'
import { legend } from './legend.ts'
import { below, heightOf, type Part, place, type Sheet } from './sheet.ts'
import { cleanText, LINE_HEIGHT, textWidth, wrapText } from './text.ts'

const RADIUS = 3.2
const ASPECT = 0.62
/** Longer names are listed below the plot. */
const NAME_SHARE = 0.45
const EDGE = 10

export function drawCost(sheet: Sheet, { panels }: CostFigure): Part[] {
  const parts: Part[] = []
  for (const panel of panels) parts.push(...below(heightOf(parts), drawPanel(sheet, panel, panels.length > 1)))
  return parts
}

function drawPanel(sheet: Sheet, { title, scale, axis, points }: CostPanel, withTitle: boolean): Part[] {
  const { width, theme, fontSize, smallSize } = sheet
  const domain = scoreDomain(scale.unit, points, [])
  const heading = wrapText(withTitle ? `${title}: ${scaleTitle(scale)}` : scaleTitle(scale), width, smallSize)
  const top = heading.length * smallSize * LINE_HEIGHT + EDGE
  const height = Math.round(Math.min(360, Math.max(150, width * ASPECT)))
  const left = Math.ceil(Math.max(...domain.map((end) => textWidth(tickFormat(scale.unit)(end), smallSize)))) + EDGE
  const room = { from: left, to: width - EDGE }
  const costs = axis === undefined ? costAxis(points, room, fontSize) : plainAxis(points, room, fontSize)
  const drawn = points.map((point) => ({
    ...point,
    x: costs.position(point.cost),
    top: top + height * (1 - (point.value! - domain[0]) / (domain[1] - domain[0])),
    color: point.isQuiet ? theme.soft : theme.accent,
  }))
  type Drawn = (typeof drawn)[number]
  const labels = labelsOf(sheet, drawn, { x: left, y: top - EDGE, width: width - left, height: height + EDGE })
  const marks: Markish[] = [
    verticalAxis(sheet, { ticks: 5, tickFormat: tickFormat(scale.unit) }),
    horizontalAxis(sheet, {
      label: axis ?? 'Cost of the run (US dollars)',
      ticks: costs.ticks.map(({ x }) => x),
      tickFormat: (x) => costs.ticks.find((tick) => tick.x === x)?.label ?? '',
    }),
    link(
      drawn.filter(({ interval }) => interval !== null),
      {
        x1: 'x',
        x2: 'x',
        y1: ({ interval }: Drawn) => interval![0],
        y2: ({ interval }: Drawn) => interval![1],
        stroke: 'color',
        strokeWidth: 1.3,
      },
    ),
    dot(drawn, {
      x: 'x',
      y: 'value',
      fill: ({ cost, color }: Drawn) =>
        cost === null ? (theme.paper === 'none' ? 'transparent' : theme.paper) : color,
      stroke: 'color',
      strokeWidth: 1.3,
      r: RADIUS,
      title: ({ name, value, interval, cost }: Drawn) => {
        const spent = axis === undefined ? formatUsd(cost) : `${axis} ${formatValue(cost, 'number')}`
        return `${cleanText(name)}: ${formatWithInterval(value, interval, scale.unit)}, ${spent}`
      },
    }),
    text([heading.join('\n')], {
      frameAnchor: 'top-left',
      dx: -left,
      dy: 3 - top,
      lineHeight: LINE_HEIGHT,
      text: (line: string) => line,
      fontSize: smallSize,
      fill: theme.ink,
    }),
  ]
  const plotted = place(
    sheet,
    {},
    {
      height: top + height + axisRoom(sheet),
      marginTop: top,
      marginBottom: axisRoom(sheet),
      marginLeft: left,
      marginRight: EDGE,
      x: { type: 'linear', domain: [left, width - EDGE] },
      y: { domain },
      color: { type: 'identity' },
      marks,
    },
  )
  const names = text(labels.texts, {
    x: 'x',
    y: 'y',
    text: 'text',
    textAnchor: 'start',
    lineAnchor: 'top',
    fontSize: smallSize,
    fill: theme.ink,
  })
  const overlay = { height: plotted.height, margin: 0, x: PIXELS, y: PIXELS, marks: [names] }
  const parts = [plotted, place(sheet, {}, overlay)]
  const key = labels.key.map(({ mark, name }) => ({ kind: 'mark', mark, name, color: theme.ink }) as const)
  return [...parts, ...below(heightOf(parts), legend(sheet, key))]
}

interface CostAxis {
  position(cost: number | null): number
  ticks: { x: number; label: string }[]
}

/** Zero has no place on a logarithmic axis, and an unknown cost has none at all: both get a strip of their own. */
function costAxis(
  points: readonly CostPoint[],
  { from, to }: { from: number; to: number },
  fontSize: number,
): CostAxis {
  const known = points.flatMap(({ cost }) => (cost !== null && cost > 0 ? [Math.log10(cost)] : []))
  const hasFree = points.some(({ cost }) => cost === 0)
  const hasUnknown = points.some(({ cost }) => cost === null)
  const strips = Number(hasFree) + Number(hasUnknown)
  const strip = known.length === 0 ? (to - from) / Math.max(1, strips) : fontSize * 5
  const start = from + (hasFree ? strip : 0)
  const end = to - (hasUnknown ? strip : 0)
  // At least one decade, so that equal costs do not fill the axis.
  const [least, most] = [Math.min(...known), Math.max(...known)]
  const pad = Math.max(0.12, (1 - (most - least)) / 2)
  const [low, high] = [least - pad, most + pad]
  const log = (value: number): number => start + ((value - low) / (high - low)) * (end - start)
  const [free, unknown] = [from + strip / 2, to - strip / 2]
  return {
    position: (cost) => (cost === null ? unknown : cost <= 0 ? free : log(Math.log10(cost))),
    ticks: [
      ...(hasFree ? [{ x: free, label: '$0' }] : []),
      ...(known.length === 0 ? [] : dollarTicks(low, high, (end - start) / (fontSize * 4))).map((usd) => ({
        x: log(Math.log10(usd)),
        label: dollars(Number(usd.toPrecision(1))),
      })),
      ...(hasUnknown ? [{ x: unknown, label: 'unknown' }] : []),
    ],
  }
}

/** From 0, with whole steps; a run without a value stands at the right edge. */
function plainAxis(
  points: readonly CostPoint[],
  { from, to }: { from: number; to: number },
  fontSize: number,
): CostAxis {
  const most = Math.max(0, ...points.map(({ cost }) => cost ?? 0))
  const room = Math.max(2, Math.floor((to - from) / (fontSize * 4)))
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000].find((each) => most / each <= room) ?? most / room
  const end = Math.max(step, Math.ceil(most / step) * step)
  const at = (cost: number): number => from + (Math.max(0, cost) / end) * (to - from)
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, i) => i * step)
  return {
    position: (cost) => (cost === null ? to : at(cost)),
    ticks: ticks.map((cost) => ({ x: at(cost), label: String(cost) })),
  }
}

function dollars(usd: number): string {
  return usd >= 0.01 && usd < 1 ? `$${usd.toFixed(2)}` : `$${usd}`
}

/** 1, 2 and 5 of every decade, or fewer where there is no room. */
function dollarTicks(low: number, high: number, room: number): number[] {
  const ticks = (steps: readonly number[], every = 1): number[] => {
    const found: number[] = []
    for (let decade = Math.floor(low); decade <= high; decade++) {
      if (decade % every !== 0) continue
      for (const step of steps) {
        const usd = step * 10 ** decade
        if (Math.log10(usd) >= low && Math.log10(usd) <= high) found.push(usd)
      }
    }
    return found
  }
  for (const steps of [[1, 2, 5], [1, 3], [1]]) {
    const found = ticks(steps)
    if (found.length <= room) return found
  }
  return ticks([1], Math.ceil((high - low) / room))
}

interface Labels {
  texts: { x: number; y: number; text: string }[]
  /** Numbers that stand for names. */
  key: { mark: string; name: string }[]
}

/** Names next to their points if all of them fit; otherwise numbers, with the names below the plot. */
function labelsOf(
  { width, smallSize }: Sheet,
  drawn: readonly { name: string; x: number; top: number }[],
  inside: Box,
): Labels {
  const height = smallSize * LINE_HEIGHT
  const dots = drawn.map(({ x, top }): Box => ({
    x: x - RADIUS,
    y: top - RADIUS,
    width: RADIUS * 2,
    height: RADIUS * 2,
  }))
  const placed = (names: readonly string[]) =>
    placeLabels(
      drawn.map(({ x, top }, i) => ({ x, y: top, width: textWidth(names[i]!, smallSize) })),
      height,
      dots,
      inside,
    )
  const texts = (names: readonly string[], boxes: readonly Box[]) =>
    boxes.map(({ x, y }, i) => ({ x, y, text: names[i]! }))
  const names = drawn.map(({ name }) => cleanText(name))
  const isShort = names.every((name) => textWidth(name, smallSize) <= width * NAME_SHARE)
  const direct = isShort ? placed(names) : null
  if (direct?.clashes === 0) return { texts: texts(names, direct.boxes), key: [] }
  const numbers = names.map((_, i) => String(i + 1))
  const { boxes } = placed(numbers)
  return { texts: texts(numbers, boxes), key: names.map((name, i) => ({ mark: numbers[i]!, name })) }
}
