/** The two runs, the result, and whether they are comparable. */
import { Link } from 'wouter'
import type { ComparedRow } from '../../../../src/report/compare.ts'
import type { CompareDetail, RunRow } from '../../../../src/server/api.ts'
import { linkTo } from '../../navigation/routes.ts'
import { button, card } from '../../ui/button.ts'
import { formatCount, formatDifference, formatP, formatShare, formatUsd, humanize, plural } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { Score } from '../../ui/score.tsx'
import { stickyColumn } from '../../ui/table/row-title.tsx'

export function CompareHeader({ detail }: { detail: CompareDetail }) {
  const { comparison, a, b } = detail
  const headline = comparison.rows.find(({ key }) => key === comparison.headline)
  return (
    <header className="mb-5">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h1 className="text-xl font-semibold tracking-tight">{comparison.title}</h1>
        <Link href={linkTo.compare(b.id, a.id)} className={button}>
          <Icon name="swap" />
          Swap
        </Link>
      </div>
      <div className="grid gap-3 lg:grid-cols-[1fr_1fr_minmax(17rem,auto)]">
        <Side letter="A" run={a} />
        <Side letter="B" run={b} />
        {headline && <Verdict row={headline} />}
      </div>
      <Comparability detail={detail} />
    </header>
  )
}

export function Letter({ letter }: { letter: 'A' | 'B' }) {
  return (
    <span
      className={`inline-flex size-5 shrink-0 items-center justify-center rounded text-xs font-semibold text-paper ${letter === 'A' ? 'bg-first' : 'bg-second'}`}
    >
      {letter}
    </span>
  )
}

function Side({ letter, run }: { letter: 'A' | 'B'; run: RunRow }) {
  return (
    <section aria-label={`Run ${letter}`} className={`${card} min-w-0 p-4`}>
      <div className="flex items-center gap-2">
        <Letter letter={letter} />
        <Link href={linkTo.run(run.id)} className="truncate font-semibold hover:underline">
          {run.player}
        </Link>
      </div>
      <p className="mt-1 truncate text-xs text-quiet" title={run.id}>
        {run.suite} · {run.profile} · {run.source} · {plural(run.finished, 'episode')} · {formatShare(run.coverage)} ·{' '}
        {formatUsd(run.usd)}
      </p>
      {run.headline && (
        <p className="mt-2 text-xs text-quiet">
          {run.headline.title}, all episodes: <Score {...run.headline} />
        </p>
      )}
    </section>
  )
}

function Verdict({ row }: { row: ComparedRow }) {
  return (
    <section aria-label="Result" className={`${card} p-4`}>
      <p className="text-xs text-quiet">{row.title}, B − A on the same samples</p>
      <p className={`mt-0.5 text-2xl font-semibold tracking-tight tabular-nums ${differenceColor(row)}`}>
        {formatDifference(row.difference, null, row.unit)}
      </p>
      <p className="text-xs text-quiet tabular-nums">
        {row.interval ? intervalOf(row) : (row.noInterval ?? 'no confidence interval')}
        {row.p !== null && ` · p ${formatP(row.p)}`}
      </p>
    </section>
  )
}

/** `+0.4 to +6.1` */
export function intervalOf({ interval, unit }: ComparedRow): string {
  if (!interval) return '–'
  return `${formatDifference(interval[0], null, unit)} to ${formatDifference(interval[1], null, unit)}`
}

/** Differences are colored only below this p-value. */
const SIGNIFICANCE = 0.05

/** Colors a difference if confidence interval and p-value agree that it is real. */
export function differenceColor({ interval, better, p }: ComparedRow): string {
  if (!interval || p === null || p >= SIGNIFICANCE || (interval[0] <= 0 && interval[1] >= 0)) return ''
  return interval[0] > 0 === (better === 'higher') ? 'text-good' : 'text-bad'
}

const KINDS = {
  unlike: 'limits comparability',
  paired: 'handled by pairing',
  compared: 'under comparison',
} as const

const COMPARABILITY = {
  models: 'Like for like',
  ways: 'Same model, different settings',
  unclear: 'Not like for like',
} as const

function Comparability({ detail: { comparison } }: { detail: CompareDetail }) {
  const { comesFrom, likeForLike, differences, shared, onlyA, onlyB, notes } = comparison
  const isClear = comesFrom !== 'unclear'
  return (
    <details className={`${card} group mt-3 ${isClear ? '' : 'border-warn/60'}`} open={!likeForLike}>
      <summary className="flex list-none flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 text-[13px] [&::-webkit-details-marker]:hidden">
        <span className={`inline-flex items-center gap-1.5 font-medium ${isClear ? 'text-good' : 'text-warn'}`}>
          <Icon name={isClear ? 'check' : 'warning'} />
          {COMPARABILITY[comesFrom]}
        </span>
        <span className="text-quiet">
          {plural(shared, 'shared sample')}
          {onlyA + onlyB > 0 && `, ${formatCount(onlyA)} only in A, ${formatCount(onlyB)} only in B`} ·{' '}
          {plural(comparison.clusters, 'cluster')}
        </span>
        <span className="ml-auto inline-flex items-center gap-1 text-quiet">
          {plural(differences.length, 'difference')}
          <Icon name="chevronDown" className="size-3 group-open:rotate-180" />
        </span>
      </summary>
      <div
        role="group"
        aria-label="Differences between the runs"
        tabIndex={0}
        className="overflow-x-auto border-t border-line px-4 py-2"
      >
        <table className="w-full text-[13px]">
          <thead>
            <tr className="text-left text-xs text-quiet">
              <th scope="col" className="py-1 pr-4 font-medium">
                Setting
              </th>
              <th scope="col" className="py-1 pr-4 font-medium text-first">
                A
              </th>
              <th scope="col" className="py-1 pr-4 font-medium text-second">
                B
              </th>
              <th scope="col" className="py-1 font-medium">
                <span className="sr-only">Effect</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ part, kind, a, b }) => (
              <tr key={part} className="border-t border-line/60">
                <th scope="row" className={`py-1 pr-4 text-left font-normal ${stickyColumn}`}>
                  {humanize(part)}
                </th>
                <td className="max-w-60 py-1 pr-4 font-mono text-xs [overflow-wrap:anywhere]">{a ?? '–'}</td>
                <td className="max-w-60 py-1 pr-4 font-mono text-xs [overflow-wrap:anywhere]">{b ?? '–'}</td>
                <td className={`py-1 text-xs ${kind === 'unlike' && !isClear ? 'text-warn' : 'text-quiet'}`}>
                  {kind === 'unlike' && isClear ? KINDS.compared : KINDS[kind]}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {notes.map((note) => (
          <p key={note} className="mt-1 text-[13px] text-quiet">
            {note}
          </p>
        ))}
      </div>
    </details>
  )
}
