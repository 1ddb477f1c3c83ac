import { useMemo } from 'react'
import { Link } from 'wouter'
import type { RunRow } from '../../../src/server/api.ts'
import { useLiveRuns, useUnheard } from '../data/live.ts'
import { Page } from '../frame/page.tsx'
import { linkTo } from '../navigation/routes.ts'
import { useLoaded } from '../data/use.ts'
import { button } from '../ui/button.ts'
import { Icon } from '../ui/icon.tsx'
import { Ready } from '../ui/states.tsx'
import { FirstRun } from './board/first-run.tsx'
import { matrixOf } from './board/matrix.ts'
import { MatrixLegend, MatrixView } from './board/matrix-view.tsx'
import { PickBar } from './board/picks.tsx'
import { RunList } from './board/run-list.tsx'

export function BoardPage() {
  const runs = useLoaded('runs', (source) => source.runs())
  return (
    <Page title="Runs">
      <Ready of={runs} what="runs">
        {(rows) => <Board runs={rows} reload={runs.reload} />}
      </Ready>
    </Page>
  )
}

function Board({ runs, reload }: { runs: readonly RunRow[]; reload: () => void }) {
  const live = useLiveRuns()
  useUnheard(runs, live, reload)
  const current = useMemo(() => {
    // What was told since replaces what was loaded; runs that began since come first.
    const loaded = new Set(runs.map(({ id }) => id))
    const begun = [...live.values()].map(({ run }) => run).filter(({ id }) => !loaded.has(id))
    begun.sort((a, b) => (a.created < b.created ? 1 : -1))
    return [...begun, ...runs.map((run) => live.get(run.id)?.run ?? run)]
  }, [runs, live])
  const matrix = useMemo(() => matrixOf(current), [current])
  if (current.length === 0) return <FirstRun />
  return (
    <>
      <section aria-labelledby="board" className="mb-7">
        <div className="mb-2 flex flex-wrap items-center gap-x-6 gap-y-1">
          <h1 id="board" className="text-lg font-semibold tracking-tight">
            Board
          </h1>
          <MatrixLegend />
          <PlayLink />
        </div>
        <MatrixView matrix={matrix} />
      </section>
      <RunList runs={current} live={live} />
      <PickBar runs={current} />
    </>
  )
}

/** A human line beside the models. */
function PlayLink() {
  const info = useLoaded('info', (source) => source.info())
  if (info.state !== 'ready' || !info.value.canPlay) return null
  return (
    <Link href={linkTo.play()} className={`${button} ml-auto`}>
      <Icon name="person" />
      Play as a person
    </Link>
  )
}
