/** A small chart over the turns of an episode, with the current one marked. Clicking a turn jumps to it. */
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'

export interface Line {
  title: string
  /** CSS variable of a theme color: `--color-accent`. */
  color: string
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

const HEIGHT = 150

export function LineChart({ title, xs, lines, now, onPick, share = false, xTitle = 'turn' }: LineChartProps) {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot>(null)
  const latest = useRef({ now, onPick })
  latest.current = { now, onPick }
  useEffect(() => {
    if (!host.current) return
    const element = host.current
    const draw = (): void => {
      plot.current?.destroy()
      plot.current = new UPlot(
        optionsOf({ xs, lines, share, width: element.clientWidth, latest, element }),
        [[...xs], ...lines.map(({ values }) => [...values])] as UPlot.AlignedData,
        element,
      )
    }
    draw()
    const resize = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: HEIGHT }))
    resize.observe(element)
    const theme = new MutationObserver(draw)
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    return () => {
      resize.disconnect()
      theme.disconnect()
      plot.current?.destroy()
      plot.current = null
    }
  }, [xs, lines, share])
  useEffect(() => plot.current?.redraw(false), [now])
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1 flex flex-wrap items-baseline gap-x-3 text-xs">
        <span className="font-medium">{title}</span>
        {lines.map(({ title: name, color, values }) => (
          <span key={name} className="text-quiet">
            <span
              aria-hidden="true"
              className="mr-1 inline-block h-0.5 w-3 align-middle"
              style={{ background: `var(${color})` }}
            />
            {name} <span className="tabular-nums text-ink">{formatPoint(values[now] ?? null, share)}</span>
          </span>
        ))}
      </figcaption>
      <div
        ref={host}
        role="img"
        aria-label={`${title} by ${xTitle}: ${lines.map(({ title: name, values }) => `${name} ends at ${formatPoint(values.at(-1) ?? null, share)}`).join(', ')}`}
        className="w-full cursor-pointer"
        style={{ height: HEIGHT }}
      />
    </figure>
  )
}

function formatPoint(value: number | null, share: boolean): string {
  if (value === null) return '–'
  return share ? `${(value * 100).toFixed(0)}%` : String(Math.round(value * 10) / 10)
}

interface ChartInput {
  xs: readonly number[]
  lines: readonly Line[]
  share: boolean
  width: number
  latest: { current: { now: number; onPick: (index: number) => void } }
  element: HTMLElement
}

function optionsOf({ xs, lines, share, width, latest, element }: ChartInput): UPlot.Options {
  const color = (name: string): string => getComputedStyle(element).getPropertyValue(name).trim()
  const axis = {
    stroke: color('--color-quiet'),
    font: '11px Inter Variable, sans-serif',
    grid: { stroke: color('--color-line'), width: 1 },
    ticks: { show: false },
  }
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: {
      x: { time: false, range: (_, min, max) => [Math.min(min, 0), Math.max(max, min + 1)] },
      y: { range: (_, __, max) => [0, share ? 1 : Math.max(1, max * 1.05)] },
    },
    axes: [
      { ...axis, size: 24, incrs: [1, 2, 5, 10, 20, 50] },
      {
        ...axis,
        size: 42,
        ...(share && { values: (_: UPlot, ticks: number[]) => ticks.map((tick) => `${Math.round(tick * 100)}%`) }),
      },
    ],
    series: [
      {},
      ...lines.map(({ title, color: name }) => ({
        label: title,
        stroke: color(name),
        width: 2,
        spanGaps: true,
        points: { show: xs.length < 40, size: 5, fill: color(name) },
      })),
    ],
    hooks: {
      draw: [
        (chart) => {
          const x = xs[latest.current.now]
          if (x === undefined) return
          const left = chart.valToPos(x, 'x', true)
          chart.ctx.save()
          chart.ctx.strokeStyle = color('--color-accent')
          chart.ctx.lineWidth = 2
          chart.ctx.beginPath()
          chart.ctx.moveTo(left, chart.bbox.top)
          chart.ctx.lineTo(left, chart.bbox.top + chart.bbox.height)
          chart.ctx.stroke()
          chart.ctx.restore()
        },
      ],
      ready: [
        (chart) => {
          chart.over.addEventListener('click', () => {
            if (typeof chart.cursor.idx === 'number') latest.current.onPick(chart.cursor.idx)
          })
        },
      ],
    },
  }
}
