/** The distribution of a value over the episodes of a run. */
import type { HistogramFigure } from '../../../../src/report/figures/figure.ts'
import { plural } from '../../ui/format.ts'

const BIN_COUNT = 20
const TICK_COUNT = 4

/** Bins of equal width over all finite values; null if there are none. Outliers count in the last bin. */
export function histogramOf(
  title: string,
  values: Float64Array,
  format: (value: number) => string,
  range?: readonly [number, number],
): HistogramFigure | null {
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
  const mode = start + counts.indexOf(Math.max(...counts)) * width
  return {
    kind: 'histogram',
    title,
    description: `${plural(finite.length, 'episode')} from ${format(start)} to ${format(start + width * BIN_COUNT)}, most between ${format(mode)} and ${format(mode + width)}.`,
    start,
    width,
    counts,
    ticks: roundTicks(start, start + width * BIN_COUNT).map((x) => ({ x, label: format(x) })),
  }
}

/** About four round numbers. */
function roundTicks(start: number, end: number): number[] {
  const rough = (end - start) / TICK_COUNT
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10)
  const first = Math.ceil(start / step - 1e-9)
  return Array.from({ length: Math.floor(end / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step)
}
