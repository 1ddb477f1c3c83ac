import { useMemo } from 'react'
import { Link } from 'wouter'
import type { RunRow } from '../../../src/server/api.ts'
import { useLiveRuns, useReloadWhenStale } from '../data/live.ts'
import { Page } from '../frame/page.tsx'
import { useQuery } from '../navigation/query.ts'
import { linkTo } from '../navigation/routes.ts'
import { useLoaded } from '../data/hooks.ts'
import { button } from '../ui/button.ts'
import { Icon } from '../ui/icon.tsx'
import { WhenLoaded } from '../ui/states.tsx'
import { BaselineSwitch } from './leaderboard/baseline-switch.tsx'
import { FirstRun } from './leaderboard/first-run.tsx'
import { matrixOf } from './leaderboard/matrix.ts'
import { MatrixLegend, MatrixView } from './leaderboard/matrix-view.tsx'
import { SelectionBar } from './leaderboard/selection.tsx'
import { RunList } from './leaderboard/run-list.tsx'

export function LeaderboardPage() {
  const runs = useLoaded('runs', (source) => source.runs())
  return (
    <Page title="Leaderboard">
      <WhenLoaded of={runs} what="runs">
        {(rows) => <Leaderboard runs={rows} reload={runs.reload} />}
      </WhenLoaded>
    </Page>
  )
}

function Leaderboard({ runs, reload }: { runs: readonly RunRow[]; reload: () => void }) {
  const live = useLiveRuns()
  useReloadWhenStale(runs, live, reload)
  const current = useMemo(() => {
    // Live events replace loaded rows; runs started since then come first.
    const loaded = new Set(runs.map(({ id }) => id))
    const started = [...live.values()].map(({ run }) => run).filter(({ id }) => !loaded.has(id))
    started.sort((a, b) => (a.created < b.created ? 1 : -1))
    return [...started, ...runs.map((run) => live.get(run.id)?.run ?? run)]
  }, [runs, live])
  const baselines = useQuery().get('baselines') !== 'hide'
  const matrix = useMemo(() => matrixOf(current, { baselines }), [current, baselines])
  if (current.length === 0) return <FirstRun />
  return (
    <>
      <section aria-labelledby="leaderboard" className="mb-7">
        <div className="mb-2 flex flex-wrap items-center gap-x-6 gap-y-1">
          <h1 id="leaderboard" className="text-lg font-semibold tracking-tight">
            Leaderboard
          </h1>
          <MatrixLegend />
          <BaselineSwitch />
          <PlayLink canVote={current.filter(({ suite }) => suite === 'vbench').length > 1} />
        </div>
        <MatrixView matrix={matrix} />
      </section>
      <RunList runs={current} live={live} />
      <SelectionBar runs={current} />
    </>
  )
}

function PlayLink({ canVote }: { canVote: boolean }) {
  const info = useLoaded('info', (source) => source.info())
  if (info.state !== 'ready' || !info.value.canPlay) return null
  return (
    <span className="ml-auto flex gap-2">
      {canVote && (
        <Link href={linkTo.votes()} className={button}>
          Vote on videos
        </Link>
      )}
      <Link href={linkTo.play()} className={button}>
        <Icon name="person" />
        Play as a human
      </Link>
    </span>
  )
}
