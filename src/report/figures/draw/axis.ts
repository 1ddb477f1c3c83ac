/** Axes of scores, shared by all figures. */
import { axisX, axisY, gridX, gridY, type Markish, type ScaleOptions } from '@observablehq/plot'
import type { NumberUnit } from '../../format.ts'
import type { Estimate, ScoreScale } from '../figure.ts'
import type { Sheet } from './sheet.ts'

/** `Accuracy (%)`, with an arrow if lower is better. */
export function scaleTitle({ title, unit, better }: ScoreScale): string {
  return `${title}${unit === 'percent' ? ' (%)' : ''}${better === 'lower' ? ' ↓' : ''}`
}

/** Shares from 0 to 1, other numbers from 0; further if there are values outside. */
export function scoreDomain(
  unit: NumberUnit,
  estimates: readonly Estimate[],
  others: readonly number[],
): [number, number] {
  let [low, high] = [0, unit === 'percent' ? 1 : 0]
  for (const value of [...estimates.flatMap(({ value, interval }) => [value, ...(interval ?? [])]), ...others]) {
    if (value === null) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (unit === 'percent') return [Math.floor(low * 10) / 10, Math.ceil(high * 10 - 1e-9) / 10]
  return high > low ? [low, high] : [low, low + 1]
}

export function tickFormat(unit: NumberUnit): (value: number) => string {
  return (value) => formatTick(unit === 'percent' ? value * 100 : value)
}

/** Short and exact: `0.25`, `1.5k`. */
export function formatTick(value: number): string {
  const text =
    Math.abs(value) >= 10_000 ? `${Number((value / 1000).toPrecision(3))}k` : String(Number(value.toPrecision(3)))
  return text.replace('-', '−')
}

interface Ticks {
  ticks: number | readonly number[]
  tickFormat: (value: number) => string
}

interface AxisOptions extends Ticks {
  label: string
}

/** Positions in values; the plot's margins leave room for ticks and title. */
export function horizontalAxis(sheet: Sheet, { label, ...marked }: AxisOptions): Markish[] {
  const { theme, smallSize } = sheet
  const { grid, axis } = ticksOf(sheet, marked)
  return [
    gridX(grid),
    axisX(axis),
    axisX({
      ticks: [],
      label,
      labelAnchor: 'center',
      labelArrow: 'none',
      labelOffset: axisRoom(sheet) - 1,
      color: theme.ink,
      fontSize: smallSize,
    }),
  ]
}

export function verticalAxis(sheet: Sheet, marked: Ticks): Markish[] {
  const { grid, axis } = ticksOf(sheet, marked)
  return [gridY(grid), axisY(axis)]
}

function ticksOf({ theme, smallSize }: Sheet, { ticks, tickFormat }: Ticks) {
  const chosen = typeof ticks === 'number' ? ticks : [...ticks]
  return {
    grid: { ticks: chosen, stroke: theme.line, strokeOpacity: 1 },
    axis: {
      ticks: chosen,
      tickFormat,
      tickSize: 0,
      label: null,
      color: theme.soft,
      fontSize: smallSize,
      fontVariant: 'normal',
    },
  }
}

/** Room below a plot for the ticks and title of its axis. */
export function axisRoom({ smallSize }: Sheet): number {
  return Math.ceil(smallSize * 3.4)
}

/** Pixels, for positions that are computed here. */
export const PIXELS: ScaleOptions = { type: 'identity', axis: null }
