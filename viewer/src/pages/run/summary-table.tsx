/** The suite's table, with all values plotted on one scale. */
import type { ReactNode } from 'react'
import { groupBy } from '../../../../src/base/group.ts'
import type { Report, ReportRow } from '../../../../src/report/report.ts'
import { card } from '../../ui/button.ts'
import { formatCount, formatInterval, formatValue, plural } from '../../ui/format.ts'
import { isNumber, type Scale, ScorePlot, shareScale } from '../../ui/score.tsx'
import { gridLines, ScaleAxis } from '../../ui/scale-axis.tsx'
import { RowTitle, stickyColumn } from '../../ui/table/row-title.tsx'
import { TableSection } from '../../ui/table/section.tsx'
import { InfoTip } from '../../ui/tooltip.tsx'

interface SummaryProps {
  report: Report
  /** Keys of rows that are shown as curves instead. */
  without: ReadonlySet<string>
}

interface Extra {
  key: 'chance' | 'constant' | 'blind' | 'ceiling'
  title: string
  about: string
}

const EXTRAS: readonly Extra[] = [
  { key: 'chance', title: 'Chance', about: 'Score of guessing without looking, on the same samples' },
  { key: 'constant', title: 'Constant', about: 'Score of the best constant answer on the same samples' },
  { key: 'blind', title: 'Blind', about: 'Score of a small learner that reads all text and sees nothing' },
  { key: 'ceiling', title: 'Ceiling', about: 'Highest score a perfect player can reach' },
]

export function SummaryTable({ report, without }: SummaryProps) {
  const rows = report.rows.filter(({ key }) => !without.has(key))
  const scale = shareScale(rows.filter(({ unit }) => unit === 'percent'))
  const extras = EXTRAS.filter(({ key }) => rows.some((row) => isNumber(row[key])))
  const sections = [...groupBy(rows, ({ section }) => section ?? '')]
  return (
    <div role="group" aria-label="Scores" tabIndex={0} className={`${card} relative overflow-x-auto`}>
      <table className="w-full border-collapse text-[13px]">
        <caption className="sr-only">{report.title}</caption>
        <thead>
          <tr className="border-b border-line text-xs text-quiet">
            <th scope="col" className={`px-4 py-2 text-left font-medium ${stickyColumn}`}>
              <span className="sr-only">Row</span>
            </th>
            <th scope="col" className="w-[38%] min-w-40 px-4 py-2 font-medium max-sm:hidden" aria-label="Plot">
              <ScaleAxis scale={scale} />
            </th>
            <th scope="col" className="px-2 py-2 text-right font-medium">
              Value
            </th>
            <th scope="col" className="px-2 py-2 text-left font-medium whitespace-nowrap">
              95% CI
            </th>
            {extras.map(({ key, title, about }) => (
              <th key={key} scope="col" className="px-2 py-2 text-right font-medium max-sm:hidden" title={about}>
                {title}
              </th>
            ))}
            <th scope="col" className="py-2 pr-4 pl-2 text-right font-medium" title="Number of samples">
              n
            </th>
          </tr>
        </thead>
        {sections.map(([section, ofSection]) => (
          <TableSection key={section} title={section} columns={5 + extras.length}>
            {ofSection.map((row) => (
              <Row key={row.key} row={row} scale={scale} extras={extras} main={row.key === report.headline} />
            ))}
          </TableSection>
        ))}
      </table>
    </div>
  )
}

function Row({ row, scale, extras, main }: { row: ReportRow; scale: Scale; extras: readonly Extra[]; main: boolean }) {
  const drawn = row.unit === 'percent' && row.value !== null
  return (
    <tr className={`border-t border-line/60 first:border-t-0 hover:bg-ground ${main ? 'bg-accent-soft/50' : ''}`}>
      <RowTitle title={row.title} better={row.better} main={main}>
        {row.note !== undefined && (
          <span className="ml-1">
            <InfoTip>{row.note}</InfoTip>
          </span>
        )}
        {drawn && (
          <span className="mt-1 block sm:hidden">
            <ScorePlot score={row} scale={scale} height={12} />
          </span>
        )}
      </RowTitle>
      <td className="overflow-clip px-4 py-0 max-sm:hidden">
        {drawn && <ScorePlot score={row} scale={scale} grid={gridLines(scale)} />}
      </td>
      <td className="px-2 py-1.5 text-right font-semibold tabular-nums">{formatValue(row.value, row.unit)}</td>
      <td className="px-2 py-1.5 text-xs whitespace-nowrap text-quiet tabular-nums" title={row.noInterval}>
        {row.interval === null ? '–' : formatInterval(row.interval, row.unit)}
      </td>
      {extras.map(({ key }) => (
        <td key={key} className="px-2 py-1.5 text-right text-quiet tabular-nums max-sm:hidden">
          {isNumber(row[key]) ? formatValue(row[key], row.unit) : ''}
        </td>
      ))}
      <td className="py-1.5 pr-4 pl-2 text-right text-quiet tabular-nums">{formatCount(row.n)}</td>
    </tr>
  )
}

/** Legend of the plot. */
export function SummaryLegend({ report }: { report: Report }) {
  const has = (key: Extra['key']): boolean => report.rows.some((row) => isNumber(row[key]))
  return (
    <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-quiet">
      <Mark title="value and 95% CI">
        <line
          x1="1"
          x2="23"
          y1="7"
          y2="7"
          className="stroke-accent"
          strokeWidth="3"
          strokeOpacity="0.55"
          strokeLinecap="round"
        />
        <circle cx="12" cy="7" r="4" className="fill-accent" />
      </Mark>
      {has('chance') && (
        <Mark title="chance">
          <line x1="12" x2="12" y1="0" y2="14" className="stroke-quiet" strokeWidth="1.5" strokeDasharray="2.5 2" />
        </Mark>
      )}
      {has('constant') && (
        <Mark title="best constant answer">
          <line x1="12" x2="12" y1="2" y2="12" className="stroke-warn" strokeWidth="1.5" />
        </Mark>
      )}
      {has('ceiling') && (
        <Mark title="above the ceiling">
          <rect x="6" y="4" width="12" height="6" className="fill-line" />
        </Mark>
      )}
      <span>
        Confidence intervals: {report.intervals.method}, {formatCount(report.intervals.resamples)} resamples of{' '}
        {plural(report.clusters, 'cluster')}
      </span>
    </p>
  )
}

function Mark({ title, children }: { title: string; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <svg width="24" height="14" aria-hidden="true">
        {children}
      </svg>
      {title}
    </span>
  )
}
