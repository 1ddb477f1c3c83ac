/** Any number of runs on the samples that all of them have. */
import { useMemo } from 'react'
import { Link } from 'wouter'
import { costFigure, forestFigure, runNames, scoredRuns } from '../../../src/report/figures/runs.ts'
import type { RunRow, SharedDetail, SharedRunDetail } from '../../../src/server/api.ts'
import { useLoaded } from '../data/hooks.ts'
import { Page } from '../frame/page.tsx'
import { useQuery } from '../navigation/query.ts'
import { linkTo } from '../navigation/routes.ts'
import { card } from '../ui/button.ts'
import { Figure } from '../ui/figure.tsx'
import { FilterMenu } from '../ui/filter-menu.tsx'
import { formatCount, plural } from '../ui/format.ts'
import { EmptyState, WhenLoaded } from '../ui/states.tsx'
import { BaselineSwitch } from './leaderboard/baseline-switch.tsx'
import { isBaseline } from './leaderboard/matrix.ts'
import { SharedTable } from './shared/shared-table.tsx'

export function SharedPage() {
  const query = useQuery()
  const chosen = query.all('run')
  const runs = useLoaded('runs', (source) => source.runs())
  return (
    <Page
      title="Shared samples"
      crumbs={[{ title: 'Leaderboard', to: linkTo.leaderboard() }, { title: 'Shared samples' }]}
    >
      <WhenLoaded of={runs} what="runs">
        {(rows) => <Chosen rows={rows} chosen={chosen} />}
      </WhenLoaded>
    </Page>
  )
}

function Chosen({ rows, chosen }: { rows: readonly RunRow[]; chosen: readonly string[] }) {
  const query = useQuery()
  const hidesBaselines = query.get('baselines') === 'hide'
  const ids = chosen.filter((id) => !(hidesBaselines && rows.some((row) => row.id === id && isBaseline(row.player))))
  const first = rows.find(({ id }) => chosen.includes(id))
  // Runs that could join: of the same suite, or of suites that ask the same questions in another way.
  const family = first?.suite.split('/')[0]
  const offered = rows.filter(
    ({ id, suite, finished }) => chosen.includes(id) || (finished > 0 && suite.split('/')[0] === family),
  )
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <h1 className="mr-2 text-lg font-semibold tracking-tight">{first?.suiteTitle ?? 'Shared samples'}</h1>
        <FilterMenu
          label="Runs"
          values={offered.map(({ id, player, suite, finished }) => ({
            value: id,
            title: `${player} on ${suite}, ${plural(finished, 'episode')} (${id.slice(id.lastIndexOf('_') + 1)})`,
          }))}
          chosen={chosen}
          onChange={(run) => query.set({ run })}
        />
        <BaselineSwitch />
      </div>
      {ids.length === 0 ? <EmptyState title="No runs selected" /> : <SharedRuns ids={ids} />}
    </>
  )
}

function SharedRuns({ ids }: { ids: readonly string[] }) {
  const shared = useLoaded(`shared/${ids.join(',')}`, (source) => source.shared(ids))
  return (
    <WhenLoaded of={shared} what="shared samples">
      {(detail) => <Results detail={detail} />}
    </WhenLoaded>
  )
}

function Results({ detail }: { detail: SharedDetail }) {
  const { samples, all, runs, unlike, leftOut } = detail
  const named = useMemo(() => withNames(runs), [runs])
  const figures = useMemo(() => {
    const scored = scoredRuns(runs.map(({ report }) => report))
    const hasCosts = scored.some(({ usd }) => usd !== null && usd > 0)
    return { forest: forestFigure(scored), cost: hasCosts ? costFigure(scored) : null }
  }, [runs])
  const command = `sightline report ${runs.map(({ row }) => row.id).join(' ')} --shared`
  return (
    <>
      <p className="mb-1">
        <strong className="font-semibold">
          {formatCount(samples)} of {plural(all, 'sample')}
        </strong>{' '}
        {runs.length === 1 ? 'of one run' : `shared by ${plural(runs.length, 'run')}`}
        <span className="text-quiet"> · every score is computed on these samples alone</span>
      </p>
      {unlike.length > 0 && (
        <p className="mb-1 text-[13px] text-warn">
          Not like for like: besides the players, the runs differ in {unlike.join(', ')}.
        </p>
      )}
      {leftOut.length > 0 && (
        <ul aria-label="Runs left out" className="text-[13px] text-warn">
          {leftOut.map(({ run, reason }) => (
            <li key={run.id}>
              Left out:{' '}
              <Link href={linkTo.run(run.id)} className="underline">
                {run.player} on {run.suite}
              </Link>
              : {reason}.
            </li>
          ))}
        </ul>
      )}
      {runs.length === 0 ? (
        <EmptyState title="No scored episodes to show" />
      ) : (
        <>
          <div className="mt-3">
            <SharedTable runs={named} />
          </div>
          <div className={`mt-5 grid items-start gap-4 ${figures.cost ? 'lg:grid-cols-2' : ''}`}>
            <section aria-label="Scores" className={`${card} min-w-0 p-4`}>
              <h2 className="mb-2 text-sm font-semibold">Scores with 95% confidence intervals</h2>
              <Figure figure={figures.forest} name="scores" command={command} />
            </section>
            {figures.cost && (
              <section aria-label="Score against cost" className={`${card} min-w-0 p-4`}>
                <h2 className="mb-2 text-sm font-semibold">Score against cost of the shared samples</h2>
                <Figure figure={figures.cost} name="cost" />
              </section>
            )}
          </div>
        </>
      )}
    </>
  )
}

function withNames(runs: readonly SharedRunDetail[]): (SharedRunDetail & { name: string })[] {
  const names = runNames(runs.map(({ report }) => report))
  return runs.map((run, i) => ({ ...run, name: names[i]! }))
}
