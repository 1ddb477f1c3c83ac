/**
 * The pages, each loaded when it is asked for. Not with React's own `lazy`: that holds what was loaded back for a third
 * of a second once it has shown that something loads.
 */
import { type ComponentType, useEffect, useState } from 'react'
import { BoardPage } from '../pages/board.tsx'
import { Loading } from '../ui/states.tsx'
import { Page } from './page.tsx'
import type { PageName } from './routes.ts'

interface LoadedPage<Props> {
  Component: ComponentType<Props>
  /** Resolves when the page can be shown at once. */
  load: () => Promise<unknown>
}

function loaded<Props extends object>(load: () => Promise<ComponentType<Props>>): LoadedPage<Props> {
  let Found: ComponentType<Props> | null = null
  const ask = async (): Promise<void> => {
    Found = await load()
  }
  const Component = (props: Props) => {
    const [, setRound] = useState(0)
    const [failure, setFailure] = useState<{ error: unknown } | null>(null)
    useEffect(() => {
      if (Found) return
      ask().then(
        () => setRound((round) => round + 1),
        (error: unknown) => setFailure({ error }),
      )
    }, [])
    if (failure) throw failure.error
    if (Found) return <Found {...props} />
    return (
      <Page title="">
        <Loading what="the page" />
      </Page>
    )
  }
  return { Component, load: ask }
}

const run = loaded(async () => (await import('../pages/run.tsx')).RunPage)
const episode = loaded(async () => (await import('../pages/episode.tsx')).EpisodePage)
const compare = loaded(async () => (await import('../pages/compare.tsx')).ComparePage)
const pair = loaded(async () => (await import('../pages/pair.tsx')).PairPage)
const play = loaded(async () => (await import('../pages/play.tsx')).PlayPage)

export { BoardPage }
export const RunPage = run.Component
export const EpisodePage = episode.Component
export const ComparePage = compare.Component
export const PairPage = pair.Component
export const PlayPage = play.Component

/** Loads a page before it is shown. What cannot be loaded is told when it is shown. */
export async function loadPage(page: PageName): Promise<void> {
  // The board is what opens first, so it is there.
  if (page === 'board') return
  await { run, episode, compare, pair, play }[page].load().catch(() => undefined)
}
