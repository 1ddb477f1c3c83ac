import { useMemo } from 'react'
import { curveFigure } from '../../../src/report/figures/curves.ts'
import { typeFigure } from '../../../src/report/figures/types.ts'
import type { Report } from '../../../src/report/report.ts'
import type { CompareDetail } from '../../../src/server/api.ts'
import { Page } from '../frame/page.tsx'
import { linkTo } from '../navigation/routes.ts'
import { useLoaded } from '../data/hooks.ts'
import { card } from '../ui/button.ts'
import { formatCount, formatShare } from '../ui/format.ts'
import { Figure } from '../ui/figure.tsx'
import { WhenLoaded } from '../ui/states.tsx'
import { CompareHeader } from './compare/compare-header.tsx'
import { CompareTable } from './compare/compare-table.tsx'
import { PairList } from './compare/pair-list.tsx'
import { pairFigure, type Tally, tallyOf } from './compare/pairs.ts'

export function ComparePage({ a, b }: { a: string; b: string }) {
  const compared = useLoaded(`compare/${a}/${b}`, (source) => source.compare(a, b))
  const title = compared.state === 'ready' ? `${compared.value.a.player} vs. ${compared.value.b.player}` : 'Comparison'
  return (
    <Page title={title} crumbs={[{ title: 'Leaderboard', to: linkTo.leaderboard() }, { title }]}>
      <WhenLoaded of={compared} what="comparison">
        {(detail) => <Compared detail={detail} />}
      </WhenLoaded>
    </Page>
  )
}

function Compared({ detail }: { detail: CompareDetail }) {
  const tally = useMemo(() => tallyOf(detail), [detail])
  const figure = useMemo(() => pairFigure(detail), [detail])
  return (
    <>
      <CompareHeader detail={detail} />
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="min-w-0">
          <CompareTable comparison={detail.comparison} />
        </div>
        <aside aria-label="Chart of episode pairs" className={`${card} p-4`}>
          <h2 className="text-[13px] font-semibold">Episode pairs</h2>
          <p className="mb-2 text-xs text-quiet">{detail.metricTitle}; size: number of pairs</p>
          {figure && <Figure figure={figure} name={`${detail.a.id}-vs-${detail.b.id}`} />}
          <Split tally={tally} />
        </aside>
      </div>
      <BothRuns a={detail.a.id} b={detail.b.id} />
      <PairList detail={detail} tally={tally} />
    </>
  )
}

/** Figures of the two runs as a whole. */
function BothRuns({ a, b }: { a: string; b: string }) {
  const both = useLoaded(`both/${a}/${b}`, (source) => Promise.all([source.run(a), source.run(b)]))
  const reports = both.state === 'ready' ? both.value.flatMap(({ report }) => report ?? []) : NO_REPORTS
  const figures = useMemo(
    () =>
      [
        { kind: 'types', figure: typeFigure(reports) },
        { kind: 'curves', figure: curveFigure(reports) },
      ].flatMap(({ kind, figure }) => (reports.length === 2 && figure ? [{ kind, figure }] : [])),
    [both.state, a, b],
  )
  return (
    <div className="mt-5 grid items-start gap-4 lg:grid-cols-2">
      {figures.map(({ kind, figure }) => (
        <section key={kind} className={`${card} min-w-0 p-4`}>
          <h2 className="mb-2 text-[13px] font-semibold">{figure.title}</h2>
          <Figure
            figure={figure}
            name={`${a}-vs-${b}-${kind}`}
            command={`sightline figure ${kind} ${a} ${b} -o ${kind}.pdf`}
          />
        </section>
      ))}
    </div>
  )
}

const NO_REPORTS: readonly Report[] = []

/** How many pairs each run wins. */
function Split({ tally }: { tally: Tally }) {
  const parts = [
    { title: 'A better', count: tally.a, look: 'bg-first' },
    { title: 'tied', count: tally.equal, look: 'bg-quiet/50' },
    { title: 'B better', count: tally.b, look: 'bg-second' },
  ]
  const total = Math.max(1, tally.a + tally.b + tally.equal)
  return (
    <>
      <div className="mt-3 flex h-2.5 gap-px overflow-hidden rounded-full" aria-hidden="true">
        {parts.map(({ title, count, look }) => (
          <span key={title} className={look} style={{ width: `${(count / total) * 100}%` }} />
        ))}
      </div>
      <dl className="mt-2 flex justify-between text-xs">
        {parts.map(({ title, count, look }) => (
          <div key={title} className="flex items-center gap-1.5 whitespace-nowrap">
            <span className={`size-2 rounded-full ${look}`} aria-hidden="true" />
            <dt className="text-quiet">{title}</dt>
            <dd className="tabular-nums" title={formatShare(count / total)}>
              {formatCount(count)}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
