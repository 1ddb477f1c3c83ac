/** Runs as rows, best first; the parts of the score as columns. */
import { Link } from 'wouter'
import { isReplyProblem, mainKeys } from '../../../../src/report/main-keys.ts'
import type { Report, ReportRow } from '../../../../src/report/report.ts'
import type { SharedRunDetail } from '../../../../src/server/api.ts'
import { linkTo } from '../../navigation/routes.ts'
import { card } from '../../ui/button.ts'
import { formatInterval, formatUsd, formatValue } from '../../ui/format.ts'
import { headlineOf } from './headline.ts'
import { Score, ScorePlot, shareScale } from '../../ui/score.tsx'

/** More columns than this are in the reports of the runs. */
const MAX_PARTS = 12

type NamedRun = SharedRunDetail & { name: string }

export function SharedTable({ runs }: { runs: readonly NamedRun[] }) {
  const ranked = runs.toSorted((a, b) => rankOf(b.report) - rankOf(a.report))
  const parts = partsOf(runs.map(({ report }) => report))
  const headlines = ranked.flatMap(({ report }) => headlineOf(report) ?? [])
  const scale = shareScale(headlines)
  const hasPlot = headlines.some(({ unit }) => unit === 'percent')
  const hasCost = runs.some(({ report }) => report.usage.usd !== null && report.usage.usd > 0)
  return (
    <div className={`${card} relative overflow-x-auto`}>
      <table className="w-full border-collapse text-left text-[13px]">
        <caption className="sr-only">Scores on the shared samples, best first</caption>
        <thead>
          <tr className="border-b border-line bg-ground text-xs text-quiet">
            <th scope="col" className="sticky left-0 z-10 bg-ground px-4 py-2 font-medium max-sm:px-3">
              Player
            </th>
            <th scope="col" className="px-3 py-2 font-medium whitespace-nowrap">
              {headlines[0]?.title ?? 'Score'}
            </th>
            {hasPlot && <th scope="col" className="w-40 min-w-32 px-3 py-2 max-sm:hidden" aria-label="Plot" />}
            {parts.map(({ key, title, better }) => (
              <th key={key} scope="col" className="min-w-20 px-3 py-2 text-right align-bottom font-medium">
                {title}
                {better === 'lower' && ' ↓'}
              </th>
            ))}
            {hasCost && (
              <th scope="col" className="px-3 py-2 text-right font-medium" title="Cost of the shared samples">
                Cost
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {ranked.map(({ row, report, name }) => {
            const headline = headlineOf(report)
            return (
              <tr key={row.id} className="border-t border-line/60 first:border-t-0">
                <th
                  scope="row"
                  className="sticky left-0 z-10 max-w-64 min-w-52 bg-paper px-4 py-2 font-medium [overflow-wrap:anywhere] max-sm:max-w-36 max-sm:min-w-32 max-sm:px-3"
                >
                  <Link href={linkTo.run(row.id)} className="hover:underline">
                    {name}
                  </Link>
                </th>
                <td className="px-3 py-2">{headline && <Score {...headline} />}</td>
                {hasPlot && (
                  <td className="px-3 py-2 max-sm:hidden">
                    {headline?.unit === 'percent' && <ScorePlot score={headline} scale={scale} height={16} />}
                  </td>
                )}
                {parts.map(({ key }) => {
                  const part = report.rows.find((each) => each.key === key)
                  return (
                    <td
                      key={key}
                      className="px-3 py-2 text-right tabular-nums"
                      title={part?.interval ? `95% CI ${formatInterval(part.interval, part.unit)}` : undefined}
                    >
                      {part && formatValue(part.value, part.unit)}
                    </td>
                  )
                })}
                {hasCost && (
                  <td className="px-3 py-2 text-right tabular-nums">
                    {report.usage.usd === null ? 'unknown' : formatUsd(report.usage.usd)}
                  </td>
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** Higher is better; runs without a score come last. */
function rankOf(report: Report): number {
  const headline = headlineOf(report)
  if (!headline || headline.value === null) return Number.NEGATIVE_INFINITY
  return headline.better === 'higher' ? headline.value : -headline.value
}

/** The percentages among the main rows that at least one run has. */
function partsOf(reports: readonly Report[]): ReportRow[] {
  const byKey = new Map<string, ReportRow>()
  for (const report of reports) {
    const main = mainKeys(report.rows)
    for (const row of report.rows) {
      if (row.key === report.headline || row.unit !== 'percent' || row.value === null || !main.has(row.key)) continue
      if (!byKey.has(row.key)) byKey.set(row.key, row)
    }
  }
  const rows = [...byKey.values()]
  return [...rows.filter((row) => !isReplyProblem(row)).slice(0, MAX_PARTS), ...rows.filter(isReplyProblem)]
}
