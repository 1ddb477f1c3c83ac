/** The pages, each loaded when it is asked for. */
import type { ComponentType } from 'react'
import { BoardPage } from '../pages/board.tsx'
import { type Later, later } from '../ui/later.tsx'
import { Loading } from '../ui/states.tsx'
import { pageScripts } from './page-scripts.ts'
import { Page } from '../frame/page.tsx'
import type { PageName } from '../navigation/routes.ts'

const MEANWHILE = (
  <Page title="">
    <Loading what="the page" />
  </Page>
)

function page<Props extends object>(load: () => Promise<ComponentType<Props>>): Later<Props> {
  return later(load, MEANWHILE)
}

const run = page(async () => (await pageScripts.run()).RunPage)
const episode = page(async () => (await pageScripts.episode()).EpisodePage)
const compare = page(async () => (await pageScripts.compare()).ComparePage)
const pair = page(async () => (await pageScripts.pair()).PairPage)
const play = page(async () => (await pageScripts.play()).PlayPage)

export { BoardPage }
export const RunPage = run.Component
export const EpisodePage = episode.Component
export const ComparePage = compare.Component
export const PairPage = pair.Component
export const PlayPage = play.Component

/** Loads a page before it is shown. What cannot be loaded is told when it is shown. */
export async function loadPage(name: PageName): Promise<void> {
  // The board is what opens first, so it is there.
  if (name === 'board') return
  await { run, episode, compare, pair, play }[name].load().catch(() => undefined)
}
