import { useEffect, useMemo } from 'react'
import { curvesOf } from '../../../src/report/figures/curves.ts'
import type { Figure } from '../../../src/report/figures/figure.ts'
import type { EpisodeColumns, RunDetail } from '../../../src/server/api.ts'
import type { Status } from '../../../src/store/records.ts'
import { useLiveRuns, useRunUpdates, useReloadWhenStale } from '../data/live.ts'
import { Page } from '../frame/page.tsx'
import { useQuery } from '../navigation/query.ts'
import { linkTo } from '../navigation/routes.ts'
import { type Loaded, useLoaded } from '../data/hooks.ts'
import { formatCount } from '../ui/format.ts'
import { EmptyState, ErrorMessage, Loading, WhenLoaded } from '../ui/states.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { PassesChart, RunFigures, SpreadCharts, StatusChart } from './run/charts.tsx'
import { EpisodeData } from './run/episode-data.ts'
import { EpisodeTable } from './run/episode-table.tsx'
import { RunHeading } from './run/run-header.tsx'
import { RunSettings } from './run/settings.tsx'
import { SummaryLegend, SummaryTable } from './run/summary-table.tsx'

type View = 'overview' | 'episodes' | 'settings'

/** Minimum interval between reloads of a running run. */
const RELOAD_MS = 1500
/** Longer runs take longer to load and change less. */
const RELOAD_MS_PER_EPISODE = 0.1

export function RunPage({ run }: { run: string }) {
  const detail = useLoaded(`run/${run}`, (source) => source.run(run))
  const title = detail.state === 'ready' ? `${detail.value.row.player} on ${detail.value.row.suite}` : run
  return (
    <Page title={title} crumbs={[{ title: 'Leaderboard', to: linkTo.leaderboard() }, { title }]}>
      <WhenLoaded of={detail} what="run">
        {(value) => <Run detail={value} reload={detail.reload} />}
      </WhenLoaded>
    </Page>
  )
}

function Run({ detail, reload }: { detail: RunDetail; reload: () => void }) {
  const { id } = detail.row
  const query = useQuery()
  const episodes = useEpisodes(id)
  const reloadAll = (): void => {
    reload()
    episodes.reload()
  }
  const live = useRunUpdates(id, Math.max(RELOAD_MS, detail.row.finished * RELOAD_MS_PER_EPISODE), reloadAll)
  const rows = useMemo(() => [detail.row], [detail])
  useReloadWhenStale(rows, useLiveRuns(), reloadAll)
  const requested = query.get('view')
  const view: View = requested === 'episodes' || requested === 'settings' ? requested : 'overview'
  const count = episodes.loaded.state === 'ready' ? episodes.loaded.value.count : detail.row.finished
  return (
    <>
      <RunHeading detail={detail} live={live} />
      <Tabs<View>
        label="Run views"
        value={view}
        onChange={(next) => query.set({ view: next === 'overview' ? null : next })}
        tabs={[
          { value: 'overview', title: 'Overview' },
          { value: 'episodes', title: 'Episodes', count: formatCount(count) },
          { value: 'settings', title: 'Settings' },
        ]}
      >
        {view === 'overview' && (
          <Overview
            detail={detail}
            episodes={episodes.loaded}
            show={(status) => query.set({ view: 'episodes', status: [status] })}
          />
        )}
        {view === 'episodes' && (
          <WhenLoaded of={episodes.loaded} what="episodes">
            {(data) => <EpisodeTable run={id} data={data} />}
          </WhenLoaded>
        )}
        {view === 'settings' && <RunSettings detail={detail} />}
      </Tabs>
    </>
  )
}

const NO_FIGURES: readonly Figure[] = []

interface OverviewProps {
  detail: RunDetail
  episodes: Loaded<EpisodeData>
  show: (status: Status) => void
}

function Overview({ detail, episodes, show }: OverviewProps) {
  const { report } = detail
  const answers = useLoaded(`figures/${detail.row.id}/${detail.row.state}`, (source) => source.figures(detail.row.id))
  const drawn = useMemo(
    () => new Set((report ? curvesOf(report.rows) : []).flatMap(({ points }) => points.map(({ row }) => row.key))),
    [report],
  )
  if (report?.finished === 0) {
    return (
      <EmptyState title="No finished episodes">
        {detail.row.state === 'running' ? 'Scores appear here with the first one.' : 'There is nothing to score.'}
      </EmptyState>
    )
  }
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_21rem]">
      <div className="min-w-0">
        {report ? (
          <>
            {report.notes.length + report.warnings.length > 0 && (
              <ul className="mb-3 space-y-1 rounded-lg border border-warn/40 bg-warn/5 px-4 py-2.5 text-[13px]">
                {report.warnings.map((warning) => (
                  <li key={warning} className="font-medium text-warn">
                    {warning}
                  </li>
                ))}
                {report.notes.map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
            )}
            <SummaryTable report={report} without={drawn} />
            <SummaryLegend report={report} />
            <RunFigures report={report} answers={answers.state === 'ready' ? answers.value : NO_FIGURES} />
          </>
        ) : (
          <p className="rounded-lg border border-line bg-paper p-6 text-quiet">
            No summary: unknown suite {detail.row.suite}. You can still open the episodes.
          </p>
        )}
      </div>
      <aside aria-label="Charts" className="grid min-w-0 gap-4 sm:grid-cols-2 xl:grid-cols-1">
        {report && <StatusChart report={report} show={show} />}
        {report?.passes && <PassesChart report={report} passes={report.passes} />}
        {episodes.state === 'ready' && episodes.value.count > 0 && <SpreadCharts data={episodes.value} />}
        {episodes.state === 'loading' && <Loading what="episodes" />}
        {episodes.state === 'failed' && <ErrorMessage error={episodes.error} retry={episodes.retry} />}
      </aside>
    </div>
  )
}

/** Keeps the last run's episodes in memory, to show the table immediately when going back from an episode. */
let cached: { run: string; data: EpisodeData } | null = null

function useEpisodes(run: string): { loaded: Loaded<EpisodeData>; reload: () => void } {
  const columns = useLoaded<EpisodeColumns>(`episodes/${run}`, (source) => source.episodes(run))
  const value = columns.state === 'ready' ? columns.value : null
  const data = useMemo(() => (value ? new EpisodeData(value) : null), [value])
  useEffect(() => {
    if (data) cached = { run, data }
  }, [run, data])
  if (data) return { loaded: { state: 'ready', value: data }, reload: columns.reload }
  if (columns.state === 'loading' && cached?.run === run) {
    return { loaded: { state: 'ready', value: cached.data }, reload: columns.reload }
  }
  const loaded: Loaded<EpisodeData> = columns.state === 'failed' ? columns : { state: 'loading' }
  return { loaded, reload: columns.reload }
}
