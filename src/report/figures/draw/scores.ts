/** Draws scores as dots with whiskers: forest plots and scores by type. */
import { dot, link, type Markish, text } from '@observablehq/plot'
import { formatValue, formatWithInterval, type NumberUnit } from '../../format.ts'
import { type Estimate, REFERENCES, type Reference, type ScoreFigure, type ScorePanel } from '../figure.ts'
import { axisRoom, horizontalAxis, PIXELS, scaleTitle, scoreDomain, tickFormat } from './axis.ts'
import { heading } from './heading.ts'
import { type LegendItem, legend } from './legend.ts'
import { below, heightOf, type Part, place, type Sheet } from './sheet.ts'
import { LINE_HEIGHT, cleanText, textWidth, wrapText } from './text.ts'
import { seriesStyle, type Theme } from './theme.ts'

/** Names take at most this part of the width. */
const NAMES_SHARE = 0.42
/** Values with intervals are printed next to the plot from this width on. */
const WIDE = 420
/** Distance of the dots of one row. */
const DOT_GAP = 9
const ROW_GAP = 7
const GAP = 10

export function drawScores(sheet: Sheet, { panels, series }: ScoreFigure): Part[] {
  const parts: Part[] = []
  for (const panel of panels) {
    parts.push(...below(heightOf(parts), drawPanel(sheet, panel, series, panels.length > 1)))
  }
  return [...parts, ...below(heightOf(parts), legend(sheet, legendItems(sheet.theme, panels, series)))]
}

interface Row {
  top: number
  middle: number
  bottom: number
  name: string
}

interface Dot {
  series: number
  y: number
  value: number
  interval: Estimate['interval']
  color: string
  name: string
}

function drawPanel(sheet: Sheet, panel: ScorePanel, series: readonly string[], withTitle: boolean): Part[] {
  const { width, theme, fontSize, smallSize } = sheet
  const { scale, rows } = panel
  const isSingle = series.length === 1
  const longest = Math.max(...rows.map(({ name }) => textWidth(cleanText(name), fontSize)))
  const namesWidth = Math.min(longest, width * NAMES_SHARE)
  const values = rows.map(({ estimates }) => (isSingle ? valueText(estimates[0], scale.unit, width >= WIDE) : ''))
  const valuesWidth = Math.max(...values.map((value) => textWidth(value, smallSize)))
  const head = heading(sheet, withTitle ? panel.title : '', width)
  const top = head.height
  const laid = layRows(rows, series.length, { top, namesWidth, fontSize })
  const bottom = laid.at(-1)?.bottom ?? top
  const dots = rows.flatMap(({ estimates, isQuiet, name }, i) =>
    estimates.flatMap((estimate, s): Dot[] => {
      if (estimate === null || estimate.value === null) return []
      const y = laid[i]!.middle + (s - (series.length - 1) / 2) * DOT_GAP
      const color = isSingle ? (isQuiet ? theme.soft : theme.accent) : seriesStyle(theme, s).color
      return [{ series: s, y, value: estimate.value, interval: estimate.interval, color, name: series[s] || name }]
    }),
  )
  const ticks = REFERENCES.flatMap((reference) =>
    rows.flatMap(({ references }, i) => {
      const value = references[reference]
      return value === undefined ? [] : [{ reference, value, row: laid[i]! }]
    }),
  )
  const domain = scoreDomain(
    scale.unit,
    dots,
    ticks.map(({ value }) => value),
  )
  const left = Math.ceil(namesWidth) + GAP
  const lastTick = textWidth(tickFormat(scale.unit)(domain[1]), smallSize)
  const right = Math.ceil(Math.max(isSingle ? valuesWidth + GAP : GAP, lastTick / 2 + 1))
  const marks: Markish[] = [
    horizontalAxis(sheet, {
      label: scaleTitle(scale),
      ticks: width - left - right < 140 ? 3 : 5,
      tickFormat: tickFormat(scale.unit),
    }),
    REFERENCES.map((reference) =>
      link(
        ticks.filter((tick) => tick.reference === reference),
        {
          x1: 'value',
          x2: 'value',
          y1: ({ row }: (typeof ticks)[number]) => row.top,
          y2: ({ row }: (typeof ticks)[number]) => row.bottom,
          ...referenceStyle(theme, reference),
        },
      ),
    ),
    link(
      dots.filter(({ interval }) => interval !== null),
      {
        x1: ({ interval }: Dot) => interval![0],
        x2: ({ interval }: Dot) => interval![1],
        y1: 'y',
        y2: 'y',
        stroke: 'color',
        strokeWidth: 1.5,
      },
    ),
    series.map((_, s) =>
      dot(
        dots.filter((each) => each.series === s),
        {
          x: 'value',
          y: 'y',
          fill: 'color',
          r: 3,
          symbol: seriesStyle(theme, s).symbol,
          title: ({ name, value, interval }: Dot) =>
            `${cleanText(name)}: ${formatWithInterval(value, interval, scale.unit)}`,
        },
      ),
    ),
    text(laid, {
      y: 'middle',
      frameAnchor: 'left',
      textAnchor: 'end',
      lineHeight: LINE_HEIGHT,
      dx: -GAP * 0.7,
      text: 'name',
      fontSize,
      fill: theme.ink,
    }),
    text(values, {
      y: (_: string, i: number) => laid[i]!.middle,
      frameAnchor: 'right',
      textAnchor: 'start',
      dx: GAP,
      text: (value: string) => value,
      fontSize: smallSize,
      fill: theme.soft,
    }),
    ...head.marks({ left, top }),
  ]
  return [
    place(
      sheet,
      {},
      {
        height: bottom + axisRoom(sheet),
        marginTop: top,
        marginBottom: axisRoom(sheet),
        marginLeft: left,
        marginRight: right,
        x: { domain },
        y: PIXELS,
        color: { type: 'identity' },
        marks,
      },
    ),
  ]
}

function layRows(
  rows: ScorePanel['rows'],
  dots: number,
  { top, namesWidth, fontSize }: { top: number; namesWidth: number; fontSize: number },
): Row[] {
  let y = top
  return rows.map(({ name }) => {
    const lines = wrapText(name, namesWidth, fontSize)
    const height = Math.max(lines.length * fontSize * LINE_HEIGHT, dots * DOT_GAP) + ROW_GAP
    const row = { top: y, middle: y + height / 2, bottom: y + height, name: lines.join('\n') }
    y += height
    return row
  })
}

function valueText(estimate: Estimate | null | undefined, unit: NumberUnit, withInterval: boolean): string {
  if (!estimate) return formatValue(null, unit)
  return withInterval ? formatWithInterval(estimate.value, estimate.interval, unit) : formatValue(estimate.value, unit)
}

const DASHES: Readonly<Record<Reference, string>> = { chance: '3 2', constant: 'none', blind: '6 2', ceiling: '1 2' }

export function referenceStyle(theme: Theme, reference: Reference) {
  const stroke = reference === 'ceiling' ? theme.soft : theme.warn
  return { stroke, strokeWidth: 1.2, strokeDasharray: DASHES[reference] }
}

const REFERENCE_TITLES: Readonly<Record<Reference, string>> = {
  chance: 'chance',
  constant: 'best constant answer',
  blind: 'question text alone',
  ceiling: 'ceiling',
}

function legendItems(theme: Theme, panels: readonly ScorePanel[], series: readonly string[]): LegendItem[] {
  const isShown = (reference: Reference): boolean =>
    panels.some(({ rows }) => rows.some(({ references }) => references[reference] !== undefined))
  return [
    ...(series.length === 1
      ? []
      : series.map((name, i): LegendItem => ({ kind: 'series', name, style: seriesStyle(theme, i) }))),
    ...REFERENCES.filter(isShown).map((reference): LegendItem => {
      const { stroke, strokeDasharray } = referenceStyle(theme, reference)
      return { kind: 'line', name: REFERENCE_TITLES[reference], color: stroke, dash: strokeDasharray }
    }),
  ]
}
