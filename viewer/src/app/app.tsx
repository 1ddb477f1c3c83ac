import { lazy, Suspense } from 'react'
import { Route, Router, Switch } from 'wouter'
import { BoardPage } from '../pages/board.tsx'
import { useAddressPath, useAddressSearch } from './location.ts'
import { PATHS } from './routes.ts'

// The board is what opens first; everything else is loaded when it is asked for.
const RunPage = lazy(async () => ({ default: (await import('../pages/run.tsx')).RunPage }))
const EpisodePage = lazy(async () => ({ default: (await import('../pages/episode.tsx')).EpisodePage }))
const ComparePage = lazy(async () => ({ default: (await import('../pages/compare.tsx')).ComparePage }))
const PairPage = lazy(async () => ({ default: (await import('../pages/pair.tsx')).PairPage }))
const PlayPage = lazy(async () => ({ default: (await import('../pages/play.tsx')).PlayPage }))

export function App() {
  return (
    <Router hook={useAddressPath} searchHook={useAddressSearch}>
      <Suspense fallback={null}>
        <Switch>
          <Route path={PATHS.board} component={BoardPage} />
          <Route path={PATHS.run}>{({ run }) => <RunPage run={run} />}</Route>
          <Route path={PATHS.episode}>
            {({ run, index, epoch }) => <EpisodePage run={run} index={Number(index)} epoch={Number(epoch)} />}
          </Route>
          <Route path={PATHS.compare}>{({ a, b }) => <ComparePage a={a} b={b} />}</Route>
          <Route path={PATHS.pair}>
            {({ a, b, indexA, indexB, epoch }) => (
              <PairPage a={a} b={b} indexA={Number(indexA)} indexB={Number(indexB)} epoch={Number(epoch)} />
            )}
          </Route>
          <Route path={PATHS.play} component={PlayPage} />
          <Route>There is no such page.</Route>
        </Switch>
      </Suspense>
    </Router>
  )
}
