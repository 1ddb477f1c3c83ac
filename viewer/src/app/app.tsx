import { Route, Router, Switch } from 'wouter'
import { ErrorBoundary } from './error-boundary.tsx'
import { useHashPath, useHashSearch } from '../navigation/location.ts'
import { NotFoundPage } from './not-found.tsx'
import {
  LeaderboardPage,
  ComparePage,
  EpisodePage,
  PairPage,
  PlayPage,
  PreferencePage,
  RunPage,
  SharedPage,
  VotePage,
  VotesPage,
  StudyPage,
} from './pages.tsx'
import { PATHS } from '../navigation/routes.ts'
import { useScrollRestoration } from './scroll.ts'

export function App() {
  const [path] = useHashPath()
  useScrollRestoration(path)
  return (
    <Router hook={useHashPath} searchHook={useHashSearch}>
      <ErrorBoundary at={path}>
        <Switch>
          <Route path={PATHS.leaderboard} component={LeaderboardPage} />
          <Route path={PATHS.run}>{({ run }) => <RunPage key={run} run={run} />}</Route>
          <Route path={PATHS.episode}>
            {({ run, index, epoch }) => <EpisodePage run={run} index={Number(index)} epoch={Number(epoch)} />}
          </Route>
          <Route path={PATHS.shared} component={SharedPage} />
          <Route path={PATHS.compare}>{({ a, b }) => <ComparePage key={`${a} ${b}`} a={a} b={b} />}</Route>
          <Route path={PATHS.pair}>
            {({ a, b, indexA, indexB, epoch }) => (
              <PairPage a={a} b={b} indexA={Number(indexA)} indexB={Number(indexB)} epoch={Number(epoch)} />
            )}
          </Route>
          <Route path={PATHS.play}>{({ session }) => <PlayPage session={session} />}</Route>
          <Route path={PATHS.votes} component={VotesPage} />
          <Route path={PATHS.vote}>{({ ballot }) => <VotePage key={ballot} ballot={ballot} />}</Route>
          <Route path={PATHS.preference}>{({ ballot }) => <PreferencePage ballot={ballot} />}</Route>
          <Route path={PATHS.study} component={StudyPage} />
          <Route component={NotFoundPage} />
        </Switch>
      </ErrorBoundary>
    </Router>
  )
}
