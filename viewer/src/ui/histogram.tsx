/** A histogram of values. */
import { useMemo } from 'react'
import uPlot from 'uplot'
import { axis, Chart } from './chart.tsx'
import { formatCount } from './format.ts'

interface HistogramProps {
  title: string
  values: Float64Array
  format: (value: number) => string
  /** Bounds of the scale if known, for example 0 and 1 for shares. */
  range?: readonly [number, number]
  height?: number
}

const BIN_COUNT = 20

export interface Bins {
  start: number
  width: number
  counts: number[]
  total: number
}

/** Bins of equal width over all finite values. Outliers count in the last bin. */
export function binsOf(values: Float64Array, range?: readonly [number, number]): Bins | null {
  const finite = values.filter((value) => Number.isFinite(value)).sort()
  if (finite.length === 0) return null
  const start = range?.[0] ?? Math.min(0, finite[0]!)
  const last = finite[finite.length - 1]!
  // A single outlier would squeeze all other values into the first bin.
  const usual = finite[Math.floor(finite.length * 0.99)]! * 1.05
  const end = range?.[1] ?? (last > usual * 3 ? usual : last)
  const width = Math.max((end - start) / BIN_COUNT, Number.EPSILON)
  const counts = Array.from({ length: BIN_COUNT }, () => 0)
  for (const value of finite) counts[Math.max(0, Math.min(BIN_COUNT - 1, Math.floor((value - start) / width)))]! += 1
  return { start, width, counts, total: finite.length }
}

export function Histogram({ title, values, format, range, height = 130 }: HistogramProps) {
  const bins = useMemo(() => binsOf(values, range), [values, range?.[0], range?.[1]])
  const data = useMemo(
    (): uPlot.AlignedData =>
      bins ? [bins.counts.map((_, i) => bins.start + (i + 0.5) * bins.width), bins.counts] : [[], []],
    [bins],
  )
  if (!bins) return null
  const end = bins.start + bins.width * BIN_COUNT
  const mode = bins.counts.indexOf(Math.max(...bins.counts))
  const label = `${title}: ${formatCount(bins.total)} episodes from ${format(bins.start)} to ${format(end)}, most between ${format(bins.start + mode * bins.width)} and ${format(bins.start + (mode + 1) * bins.width)}`
  return (
    <Chart
      label={label}
      height={height}
      data={data}
      options={(colors) => ({
        legend: { show: false },
        cursor: { show: false },
        padding: [6, 8, 0, 0],
        scales: {
          x: { time: false, range: () => [bins.start, end] },
          y: { range: (_chart, _min, max) => [0, max * 1.05] },
        },
        axes: [
          axis(colors, { size: 24, space: 56, grid: { show: false }, values: (_chart, ticks) => ticks.map(format) }),
          axis(colors, {
            size: 40,
            space: 28,
            values: (_chart, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? formatCount(tick) : '')),
          }),
        ],
        series: [
          {},
          {
            fill: colors.accent,
            stroke: colors.accent,
            width: 0,
            points: { show: false },
            paths: uPlot.paths.bars!({ size: [0.86, 60], radius: 0.15 }),
          },
        ],
      })}
    />
  )
}
