/** The same sample in two runs, side by side. */
import { useMemo } from 'react'
import { useLocation } from 'wouter'
import type { EpisodeDetail, Pair } from '../../../src/server/api.ts'
import { Page } from '../frame/page.tsx'
import { linkTo } from '../navigation/routes.ts'
import { useLoaded } from '../data/hooks.ts'
import { episodeKeys, type Playback, usePlayback, usePlaybackKeys } from '../episode/playback.ts'
import type { SuitePanel } from '../episode/panel.ts'
import { buildEpisodeModel } from '../episode/episode-model.ts'
import { useMoment } from '../episode/use-moment.ts'
import { usePanel } from '../suites/use-panel.ts'
import { button, iconButton } from '../ui/button.ts'
import { formatCount, humanize } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { WhenLoaded } from '../ui/states.tsx'
import { type PairNeighbors, pairNeighbors } from './compare/order.ts'
import { Side } from './pair/side.tsx'
import { useBothPlaybacks } from './pair/use-both-playbacks.ts'

interface PairPageProps {
  a: string
  b: string
  indexA: number
  indexB: number
  epoch: number
}

export function PairPage({ a, b, indexA, indexB, epoch }: PairPageProps) {
  const key = `pair/${a}/${b}/${indexA}/${indexB}/${epoch}`
  const loaded = useLoaded(key, (source) =>
    Promise.all([source.episode(a, indexA, epoch), source.episode(b, indexB, epoch)]),
  )
  const title = loaded.state === 'ready' ? loaded.value[0].line.sample : 'Pair'
  const players =
    loaded.state === 'ready' ? `${loaded.value[0].run.player} vs. ${loaded.value[1].run.player}` : 'Comparison'
  return (
    <Page
      wide
      title={title}
      crumbs={[
        { title: 'Leaderboard', to: linkTo.leaderboard() },
        { title: players, to: linkTo.compare(a, b) },
        { title },
      ]}
    >
      <WhenLoaded of={loaded} what="episodes">
        {([one, other]) => <Opened key={key} a={one} b={other} neighbors={pairNeighbors(a, b, indexA, epoch)} />}
      </WhenLoaded>
    </Page>
  )
}

interface OpenedProps {
  a: EpisodeDetail
  b: EpisodeDetail
  neighbors: PairNeighbors | null
}

function Opened({ a, b, neighbors }: OpenedProps) {
  const [, goTo] = useLocation()
  const sideA = useSide(a, 'a')
  const sideB = useSide(b, 'b')
  const playback = useBothPlaybacks(sideA.playback, sideB.playback)
  const open = (pair: Pair | null | undefined): (() => void) | undefined =>
    pair
      ? () => goTo(linkTo.pair(a.run.id, b.run.id, { indexA: pair.a.index, indexB: pair.b.index, epoch: pair.epoch }))
      : undefined
  const previous = open(neighbors?.previous)
  const next = open(neighbors?.next)
  usePlaybackKeys(playback, true, episodeKeys(previous, next))
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h1 className="text-base font-semibold [overflow-wrap:anywhere]">{a.line.sample}</h1>
          <p className="text-[13px] text-quiet">
            {a.run.suite}
            {Object.entries(a.line.labels).map(([name, value]) => (
              <span key={name}>
                {' · '}
                {humanize(name)} {humanize(value)}
              </span>
            ))}
          </p>
        </div>
        <PairControls playback={playback} />
        {neighbors && (
          <nav aria-label="Pairs" className="flex items-center">
            <button
              type="button"
              className={iconButton}
              aria-label="Previous pair"
              title="Previous pair (k)"
              disabled={!previous}
              onClick={previous}
            >
              <Icon name="chevronLeft" />
            </button>
            <span className="text-[13px] text-quiet tabular-nums">
              {formatCount(neighbors.position)} of {formatCount(neighbors.of)}
            </span>
            <button
              type="button"
              className={iconButton}
              aria-label="Next pair"
              title="Next pair (j)"
              disabled={!next}
              onClick={next}
            >
              <Icon name="chevronRight" />
            </button>
          </nav>
        )}
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        <Side letter="A" episode={a} panel={sideA.panel} at={sideA.at} seek={sideA.seek} />
        <Side letter="B" episode={b} panel={sideB.panel} at={sideB.at} seek={sideB.seek} />
      </div>
    </>
  )
}

/** Controls both episodes. */
function PairControls({ playback }: { playback: Playback }) {
  return (
    <div role="group" aria-label="Both episodes" className="flex items-center gap-1">
      <button
        type="button"
        className={iconButton}
        aria-label="Step both back"
        title="Step both back (←)"
        onClick={() => playback.step(-1)}
      >
        <Icon name="chevronLeft" />
      </button>
      <button type="button" className={button} onClick={playback.toggle} title="Space">
        <Icon name={playback.playing ? 'pause' : 'play'} />
        {playback.playing ? 'Pause both' : 'Play both'}
      </button>
      <button
        type="button"
        className={iconButton}
        aria-label="Step both forward"
        title="Step both forward (→)"
        onClick={() => playback.step(1)}
      >
        <Icon name="chevronRight" />
      </button>
    </div>
  )
}

interface SideState {
  panel: SuitePanel | undefined
  at: number
  seek: (at: number) => void
  playback: Playback
}

/** Each side's step is in the URL under its letter: `?a=3&b=5`. Default: the last step. */
function useSide(episode: EpisodeDetail, letter: 'a' | 'b'): SideState {
  const { events } = episode
  const panel = usePanel(episode)
  const model = useMemo(() => buildEpisodeModel(events, panel ?? null, episode.metrics), [episode, panel])
  const [at, seek] = useMoment(events.length, letter)
  return { panel, at, seek, playback: usePlayback(model.moments, at, seek) }
}
