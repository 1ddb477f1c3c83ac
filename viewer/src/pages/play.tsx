import { Page } from '../frame/page.tsx'
import { linkTo } from '../navigation/routes.ts'
import { GameView } from '../play/game.tsx'
import { Setup } from '../play/setup.tsx'

export function PlayPage({ game }: { game: string | undefined }) {
  const top = { title: 'Runs', to: linkTo.board() }
  const crumbs =
    game === undefined ? [top, { title: 'Play' }] : [top, { title: 'Play', to: linkTo.play() }, { title: 'Game' }]
  return (
    <Page title="Play" crumbs={crumbs}>
      {game === undefined ? <Setup /> : <GameView key={game} id={game} />}
    </Page>
  )
}
