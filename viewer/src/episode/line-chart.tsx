/** A small chart over the turns of an episode, with the current one marked. Clicking a turn jumps to it. */
import { useMemo } from 'react'
import type { CurveFigure } from '../../../src/report/figures/figure.ts'
import { LIGHT, DARK, seriesStyle } from '../../../src/report/figures/draw/theme.ts'
import { FigureDrawing } from '../ui/figure.tsx'
import { useResolvedTheme } from '../ui/theme.ts'

export interface Line {
  title: string
  values: readonly (number | null)[]
}

interface LineChartProps {
  title: string
  /** X values: turns in order. */
  xs: readonly number[]
  lines: readonly Line[]
  /** Index of the current turn in `xs`; −1 for none. */
  now: number
  /** Called with an index in `xs`. */
  onPick: (index: number) => void
  /** Scale from 0 to 1 instead of 0 to the maximum. */
  share?: boolean
  xTitle?: string
}

export function LineChart({ title, xs, lines, now, onPick, share = false, xTitle = 'turn' }: LineChartProps) {
  const theme = useResolvedTheme() === 'dark' ? DARK : LIGHT
  const marked = xs[now]
  const figure = useMemo(
    (): CurveFigure => ({
      kind: 'curves',
      title: `${title} by ${xTitle}`,
      description: lines
        .map(({ title: name, values }) => `${name} ends at ${formatPoint(values.at(-1) ?? null, share)}`)
        .join(', '),
      series: [''],
      panels: [
        {
          title: '',
          xTitle,
          unit: share ? 'percent' : 'number',
          ...(marked !== undefined && { now: marked }),
          lines: lines.map(({ values }) => values.map((value, i) => ({ x: xs[i]!, value, interval: null }))),
        },
      ],
    }),
    [title, xTitle, xs, lines, share, marked],
  )
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1 flex flex-wrap items-baseline gap-x-3 text-xs">
        <span className="font-medium">{title}</span>
        {lines.map(({ title: name, values }, i) => (
          <span key={name} className="text-quiet">
            <span
              aria-hidden="true"
              className="mr-1 inline-block h-0.5 w-3 align-middle"
              style={{ background: seriesStyle(theme, i).color }}
            />
            {name} <span className="tabular-nums text-ink">{formatPoint(values[now] ?? null, share)}</span>
          </span>
        ))}
      </figcaption>
      <FigureDrawing figure={figure} onPick={(x) => onPick(nearest(xs, x))} />
    </figure>
  )
}

function nearest(xs: readonly number[], wanted: number): number {
  return xs.reduce((best, x, i) => (Math.abs(x - wanted) < Math.abs(xs[best]! - wanted) ? i : best), 0)
}

function formatPoint(value: number | null, share: boolean): string {
  if (value === null) return '–'
  return share ? `${(value * 100).toFixed(0)}%` : String(Math.round(value * 10) / 10)
}
