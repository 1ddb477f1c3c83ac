/** The suite's table for both runs with their differences. */
import { groupBy } from '../../../../src/base/group.ts'
import type { ComparedRow, Comparison } from '../../../../src/report/compare.ts'
import { card } from '../../ui/button.ts'
import { formatCount, formatDifference, formatP, formatValue } from '../../ui/format.ts'
import { ScaleAxis } from '../../ui/scale-axis.tsx'
import { type Scale, shareScale } from '../../ui/score.tsx'
import { RowTitle, stickyColumn } from '../../ui/table/row-title.tsx'
import { TableSection } from '../../ui/table/section.tsx'
import { intervalOf, Letter, differenceColor } from './compare-header.tsx'

export function CompareTable({ comparison }: { comparison: Comparison }) {
  const sections = [...groupBy(comparison.rows, ({ section }) => section ?? '')]
  const scale = scaleOf(comparison.rows)
  const number = 'px-2 py-2 text-right font-medium'
  return (
    <div role="group" aria-label="Scores of both runs" tabIndex={0} className={`${card} relative overflow-x-auto`}>
      <table className="w-full border-collapse text-[13px]">
        <caption className="sr-only">{comparison.title}: both runs on shared samples</caption>
        <thead>
          <tr className="border-b border-line text-xs text-quiet">
            <th scope="col" className={`px-4 py-2 text-left font-medium ${stickyColumn}`}>
              <span className="sr-only">Row</span>
            </th>
            <th scope="col" className="w-1/3 min-w-32 px-4 py-2 font-medium max-sm:hidden" aria-label="Plot">
              <ScaleAxis scale={scale} />
            </th>
            <th scope="col" className={number}>
              <Letter letter="A" />
            </th>
            <th scope="col" className={number}>
              <Letter letter="B" />
            </th>
            <th scope="col" className={number}>
              B − A
            </th>
            <th scope="col" className="px-2 py-2 text-left font-medium whitespace-nowrap">
              95% CI
            </th>
            <th scope="col" className={number} title="Two-sided permutation test over clusters">
              p
            </th>
            <th scope="col" className="py-2 pr-4 pl-2 text-right font-medium">
              n
            </th>
          </tr>
        </thead>
        {sections.map(([section, rows]) => (
          <TableSection key={section} title={section} columns={8}>
            {rows.map((row) => (
              <Row key={row.key} row={row} scale={scale} main={row.key === comparison.headline} />
            ))}
          </TableSection>
        ))}
      </table>
    </div>
  )
}

function scaleOf(rows: readonly ComparedRow[]): Scale {
  const shares = rows.filter(({ unit }) => unit === 'percent')
  return shareScale(
    shares.flatMap(({ a, b, unit }) => [
      { value: a, interval: null, unit },
      { value: b, interval: null, unit },
    ]),
  )
}

function Row({ row, scale, main }: { row: ComparedRow; scale: Scale; main: boolean }) {
  return (
    <tr className={`border-t border-line/60 first:border-t-0 hover:bg-ground ${main ? 'bg-accent-soft/50' : ''}`}>
      <RowTitle title={row.title} better={row.better} main={main} />
      <td className="px-4 py-0 max-sm:hidden">{row.unit === 'percent' && <Dumbbell row={row} scale={scale} />}</td>
      <td className="px-2 py-1.5 text-right tabular-nums">{formatValue(row.a, row.unit)}</td>
      <td className="px-2 py-1.5 text-right tabular-nums">{formatValue(row.b, row.unit)}</td>
      <td className={`px-2 py-1.5 text-right font-semibold tabular-nums ${differenceColor(row)}`}>
        {formatDifference(row.difference, null, row.unit)}
      </td>
      <td className="px-2 py-1.5 text-xs whitespace-nowrap text-quiet tabular-nums" title={row.noInterval}>
        {intervalOf(row)}
      </td>
      <td className="px-2 py-1.5 text-right text-quiet tabular-nums">{formatP(row.p)}</td>
      <td className="py-1.5 pr-4 pl-2 text-right text-quiet tabular-nums">{formatCount(row.n)}</td>
    </tr>
  )
}

/** A and B on one scale, connected by a line. */
function Dumbbell({ row: { a, b }, scale }: { row: ComparedRow; scale: Scale }) {
  const at = (value: number): string => `${((value - scale.min) / (scale.max - scale.min)) * 100}%`
  return (
    <svg aria-hidden="true" className="block w-full overflow-visible" height="20">
      <line x1="0" x2="100%" y1="10" y2="10" className="stroke-line" />
      {a !== null && b !== null && (
        <line x1={at(a)} x2={at(b)} y1="10" y2="10" className="stroke-quiet" strokeWidth="2" strokeOpacity="0.5" />
      )}
      {a !== null && <circle cx={at(a)} cy="10" r="4.5" className="fill-first stroke-paper" strokeWidth="1.5" />}
      {b !== null && <circle cx={at(b)} cy="10" r="4.5" className="fill-second stroke-paper" strokeWidth="1.5" />}
    </svg>
  )
}
