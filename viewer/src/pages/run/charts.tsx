/** Charts of a run: distributions of scores, times and costs, statuses, and pass@k. */
import { type ReactNode, useMemo } from 'react'
import { curveFigure, passFigure } from '../../../../src/report/figures/curves.ts'
import type { Figure as FigureData } from '../../../../src/report/figures/figure.ts'
import type { FigureKind } from '../../../../src/report/figures/kinds.ts'
import { matrixFigure, typeFigure } from '../../../../src/report/figures/types.ts'
import type { Report } from '../../../../src/report/report.ts'
import { STATUSES, type Status } from '../../../../src/store/records.ts'
import { statusColor } from '../../ui/badge.tsx'
import { card } from '../../ui/button.ts'
import { formatCount, formatDuration, formatShare, formatSmallUsd, formatValue, humanize } from '../../ui/format.ts'
import { Figure } from '../../ui/figure.tsx'
import type { EpisodeData } from './episode-data.ts'
import { histogramOf } from './histogram.ts'

const WHOLE_SCALE = [0, 1] as const

export function ChartCard({ title, aside, children }: { title: string; aside?: string; children: ReactNode }) {
  return (
    <section className={`${card} min-w-0 p-4`}>
      <div className="mb-2 flex items-baseline justify-between gap-3">
        <h3 className="text-[13px] font-semibold">{title}</h3>
        {aside !== undefined && <span className="text-xs text-quiet tabular-nums">{aside}</span>}
      </div>
      {children}
    </section>
  )
}

/** Episodes by status; clicking a status lists its episodes. */
export function StatusChart({ report, show }: { report: Report; show: (status: Status) => void }) {
  const total = Math.max(1, report.finished)
  const failed = report.finished - report.byStatus.answered
  return (
    <ChartCard title="Episodes by status" aside={failed === 0 ? 'none failed' : `${formatCount(failed)} not answered`}>
      <ul className="space-y-0.5">
        {STATUSES.filter((status) => report.byStatus[status] > 0).map((status) => (
          <li key={status}>
            <button
              type="button"
              onClick={() => show(status)}
              className="grid w-full grid-cols-[7rem_1fr_auto] items-center gap-3 rounded px-1 py-1 text-left text-[13px] hover:bg-ground"
              title="Show these episodes"
            >
              <span>{humanize(status)}</span>
              <span className="h-2 overflow-hidden rounded-full bg-line/70" aria-hidden="true">
                <span
                  className={`block h-full rounded-full ${statusColor(status)}`}
                  style={{ width: `${(report.byStatus[status] / total) * 100}%` }}
                />
              </span>
              <span className="tabular-nums">
                {formatCount(report.byStatus[status])}{' '}
                <span className="text-xs text-quiet">{formatShare(report.byStatus[status] / total)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </ChartCard>
  )
}

export function SpreadCharts({ data }: { data: EpisodeData }) {
  const metric = data.columns.mainScore
  const ms = data.numbers('ms')
  const usd = data.numbers('usd')
  const costs = usd.some((value) => value > 0)
  return (
    <>
      {metric !== null && (
        <ChartCard
          title={`${data.title(metric)} per episode`}
          aside={`median ${formatValue(medianOf(data.numbers(`score.${metric}`)), data.unit(metric))}`}
        >
          <Histogram
            title={data.title(metric)}
            values={data.numbers(`score.${metric}`)}
            format={(value) => formatTick(value, data.unit(metric))}
            {...(data.unit(metric) === 'percent' && { range: WHOLE_SCALE })}
          />
        </ChartCard>
      )}
      <ChartCard title="Time per episode" aside={`median ${formatDuration(medianOf(ms))}`}>
        <Histogram title="Time" values={ms} format={formatShortDuration} />
      </ChartCard>
      {costs && (
        <ChartCard title="Cost per episode" aside={`median ${formatSmallUsd(medianOf(usd))}`}>
          <Histogram title="Cost" values={usd} format={(value) => formatSmallUsd(Number(value.toPrecision(6)))} />
        </ChartCard>
      )}
    </>
  )
}

interface HistogramProps {
  title: string
  values: Float64Array
  format: (value: number) => string
  /** Bounds of the scale if known, for example 0 and 1 for shares. */
  range?: readonly [number, number]
}

function Histogram({ title, values, format, range }: HistogramProps) {
  // Formats are functions of the page, and always the same for a title.
  const figure = useMemo(() => histogramOf(title, values, format, range), [title, values, range])
  return figure && <Figure figure={figure} name={`${title.toLowerCase()}-histogram`} />
}

function formatTick(value: number, unit: 'percent' | 'number'): string {
  return unit === 'percent' ? String(Math.round(value * 100)) : String(Number(value.toPrecision(3)))
}

/** For an axis: `0`, `300 ms`, `2 s`, `3 min`. */
function formatShortDuration(ms: number): string {
  if (ms === 0) return '0'
  if (ms < 1000) return `${Number(ms.toPrecision(3))} ms`
  if (ms < 120_000) return `${Number((ms / 1000).toPrecision(3))} s`
  return `${Number((ms / 60_000).toPrecision(3))} min`
}

function medianOf(values: Float64Array): number {
  const finite = values.filter((value) => !Number.isNaN(value)).sort()
  return finite[finite.length >> 1] ?? Number.NaN
}

/** pass@k: solved in at least one of k attempts, and in all of them. */
export function PassesChart({ report, passes }: { report: Report; passes: NonNullable<Report['passes']> }) {
  const figure = useMemo(() => passFigure(report), [report])
  return (
    <ChartCard title="pass@k" aside={`by ${humanize(passes.metric)}`}>
      {figure && <Figure figure={figure} name={`${report.run}-passes`} />}
      <table className="mt-2 w-full text-[13px] tabular-nums">
        <thead>
          <tr className="text-xs text-quiet">
            <th scope="col" className="py-1 text-left font-medium">
              k
            </th>
            <th scope="col" className="py-1 text-right font-medium text-first">
              any of k
            </th>
            <th scope="col" className="py-1 text-right font-medium text-second">
              all of k
            </th>
            <th scope="col" className="py-1 text-right font-medium">
              samples
            </th>
          </tr>
        </thead>
        <tbody>
          {passes.rows.map((row) => (
            <tr key={row.k} className="border-t border-line/60">
              <th scope="row" className="py-1 text-left font-normal">
                {row.k}
              </th>
              <td className="py-1 text-right">{formatValue(row.any, 'percent')}</td>
              <td className="py-1 text-right">{formatValue(row.all, 'percent')}</td>
              <td className="py-1 text-right text-quiet">{formatCount(row.samples)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ChartCard>
  )
}

interface RunFiguresProps {
  report: Report
  /** Answers against the ground truth; empty until they are loaded. */
  answers: readonly FigureData[]
}

/** What the suite of the run has data for, each to be downloaded. */
export function RunFigures({ report, answers }: RunFiguresProps) {
  const figures = useMemo(() => {
    const reports = [report]
    const known: [FigureKind, FigureData | null][] = [
      ['types', typeFigure(reports)],
      ['curves', curveFigure(reports)],
      ['heatmap', matrixFigure(reports)],
      ...answers.map((figure): [FigureKind, FigureData] => [
        figure.kind === 'scatter' ? 'numbers' : 'confusion',
        figure,
      ]),
    ]
    return known.flatMap(([kind, figure]) => (figure ? [{ kind, figure }] : []))
  }, [report, answers])
  return (
    <div className="mt-5 grid items-start gap-4 sm:grid-cols-2">
      {figures.map(({ kind, figure }) => (
        <ChartCard key={kind} title={figure.title}>
          <Figure
            figure={figure}
            name={`${report.run}-${kind}`}
            command={`sightline figure ${kind} ${report.run} -o ${kind}.pdf`}
          />
        </ChartCard>
      ))}
    </div>
  )
}
