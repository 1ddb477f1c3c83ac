/** The pages, each loaded on demand. */
import type { ComponentType } from 'react'
import { LeaderboardPage } from '../pages/leaderboard.tsx'
import { type LazyComponent, lazyComponent } from '../ui/lazy-component.tsx'
import { Loading } from '../ui/states.tsx'
import { pageScripts } from './page-scripts.ts'
import { Page } from '../frame/page.tsx'
import type { PageName } from '../navigation/routes.ts'

const FALLBACK = (
  <Page title="">
    <Loading what="page" />
  </Page>
)

function page<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyComponent<Props> {
  return lazyComponent(load, FALLBACK)
}

const run = page(async () => (await pageScripts.run()).RunPage)
const episode = page(async () => (await pageScripts.episode()).EpisodePage)
const shared = page(async () => (await pageScripts.shared()).SharedPage)
const compare = page(async () => (await pageScripts.compare()).ComparePage)
const pair = page(async () => (await pageScripts.pair()).PairPage)
const play = page(async () => (await pageScripts.play()).PlayPage)
const votes = page(async () => (await pageScripts.votes()).VotesPage)
const vote = page(async () => (await pageScripts.vote()).VotePage)
const preference = page(async () => (await pageScripts.preference()).PreferencePage)
const study = page(async () => (await pageScripts.study()).StudyPage)

export { LeaderboardPage }
export const RunPage = run.Component
export const EpisodePage = episode.Component
export const SharedPage = shared.Component
export const ComparePage = compare.Component
export const PairPage = pair.Component
export const PlayPage = play.Component
export const VotesPage = votes.Component
export const VotePage = vote.Component
export const PreferencePage = preference.Component
export const StudyPage = study.Component

/** Preloads a page. Errors show up when the page is rendered. */
export async function loadPage(name: PageName): Promise<void> {
  // Part of the initial bundle.
  if (name === 'leaderboard') return
  const pages = { run, episode, shared, compare, pair, play, votes, vote, preference, study }
  await pages[name].load().catch(() => undefined)
}
