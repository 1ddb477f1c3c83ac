import { lazy, Suspense } from 'react'
import { Route, Router, Switch } from 'wouter'
import { BoardPage } from '../pages/board.tsx'
import { Loading } from '../ui/states.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { useAddressPath, useAddressSearch } from './location.ts'
import { NotFoundPage } from './not-found.tsx'
import { Page } from './page.tsx'
import { PATHS } from './routes.ts'
import { useScrollPlace } from './scroll.ts'

// The board is what opens first; everything else is loaded when it is asked for.
const RunPage = lazy(async () => ({ default: (await import('../pages/run.tsx')).RunPage }))
const EpisodePage = lazy(async () => ({ default: (await import('../pages/episode.tsx')).EpisodePage }))
const ComparePage = lazy(async () => ({ default: (await import('../pages/compare.tsx')).ComparePage }))
const PairPage = lazy(async () => ({ default: (await import('../pages/pair.tsx')).PairPage }))
const PlayPage = lazy(async () => ({ default: (await import('../pages/play.tsx')).PlayPage }))

export function App() {
  const [path] = useAddressPath()
  useScrollPlace(path)
  return (
    <Router hook={useAddressPath} searchHook={useAddressSearch}>
      <ErrorBoundary at={path}>
        <Suspense
          fallback={
            <Page title="">
              <Loading what="the page" />
            </Page>
          }
        >
          <Switch>
            <Route path={PATHS.board} component={BoardPage} />
            <Route path={PATHS.run}>{({ run }) => <RunPage key={run} run={run} />}</Route>
            <Route path={PATHS.episode}>
              {({ run, index, epoch }) => <EpisodePage run={run} index={Number(index)} epoch={Number(epoch)} />}
            </Route>
            <Route path={PATHS.compare}>{({ a, b }) => <ComparePage key={`${a} ${b}`} a={a} b={b} />}</Route>
            <Route path={PATHS.pair}>
              {({ a, b, indexA, indexB, epoch }) => (
                <PairPage a={a} b={b} indexA={Number(indexA)} indexB={Number(indexB)} epoch={Number(epoch)} />
              )}
            </Route>
            <Route path={PATHS.play}>{({ game }) => <PlayPage game={game} />}</Route>
            <Route component={NotFoundPage} />
          </Switch>
        </Suspense>
      </ErrorBoundary>
    </Router>
  )
}
