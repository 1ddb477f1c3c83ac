import { Page } from '../frame/page.tsx'
import { linkTo } from '../navigation/routes.ts'
import { SessionView } from '../play/session-view.tsx'
import { Setup } from '../play/setup.tsx'

export function PlayPage({ session }: { session: string | undefined }) {
  const top = { title: 'Leaderboard', to: linkTo.leaderboard() }
  const crumbs =
    session === undefined ? [top, { title: 'Play' }] : [top, { title: 'Play', to: linkTo.play() }, { title: 'Session' }]
  return (
    <Page title="Play" crumbs={crumbs}>
      {session === undefined ? <Setup /> : <SessionView key={session} id={session} />}
    </Page>
  )
}
