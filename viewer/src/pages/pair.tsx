/** The same case in two runs, side by side. */
import { useMemo } from 'react'
import { useLocation } from 'wouter'
import type { EpisodeDetail, Pair } from '../../../src/server/api.ts'
import { Page } from '../frame/page.tsx'
import { linkTo } from '../navigation/routes.ts'
import { useLoaded } from '../data/use.ts'
import { episodeKeys, type Film, useFilm, useFilmKeys } from '../episode/film.ts'
import type { SuitePanel } from '../episode/panel.ts'
import { scriptOf } from '../episode/script.ts'
import { useMoment } from '../episode/use-moment.ts'
import { usePanel } from '../suites/use-panel.ts'
import { button, iconButton } from '../ui/button.ts'
import { formatCount, words } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { Ready } from '../ui/states.tsx'
import { type Neighbours, neighboursOf } from './compare/order.ts'
import { Side } from './pair/side.tsx'
import { useTogether } from './pair/together.ts'

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
    loaded.state === 'ready' ? `${loaded.value[0].run.player} against ${loaded.value[1].run.player}` : 'Comparison'
  return (
    <Page
      wide
      title={title}
      crumbs={[{ title: 'Runs', to: linkTo.board() }, { title: players, to: linkTo.compare(a, b) }, { title }]}
    >
      <Ready of={loaded} what="the episodes">
        {([one, other]) => <Opened key={key} a={one} b={other} neighbours={neighboursOf(a, b, indexA, epoch)} />}
      </Ready>
    </Page>
  )
}

interface OpenedProps {
  a: EpisodeDetail
  b: EpisodeDetail
  neighbours: Neighbours | null
}

function Opened({ a, b, neighbours }: OpenedProps) {
  const [, goTo] = useLocation()
  const sideA = useSide(a, 'a')
  const sideB = useSide(b, 'b')
  const film = useTogether(sideA.film, sideB.film)
  const open = (pair: Pair | null | undefined): (() => void) | undefined =>
    pair
      ? () => goTo(linkTo.pair(a.run.id, b.run.id, { indexA: pair.a.index, indexB: pair.b.index, epoch: pair.epoch }))
      : undefined
  const previous = open(neighbours?.previous)
  const next = open(neighbours?.next)
  useFilmKeys(film, true, episodeKeys(previous, next))
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
                {words(name)} {words(value)}
              </span>
            ))}
          </p>
        </div>
        <Together film={film} />
        {neighbours && (
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
              {formatCount(neighbours.place)} of {formatCount(neighbours.of)}
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

/** Both at once. */
function Together({ film }: { film: Film }) {
  return (
    <div role="group" aria-label="Both episodes" className="flex items-center gap-1">
      <button
        type="button"
        className={iconButton}
        aria-label="Both a step back"
        title="Both a step back (←)"
        onClick={() => film.step(-1)}
      >
        <Icon name="chevronLeft" />
      </button>
      <button type="button" className={button} onClick={film.toggle} title="Space">
        <Icon name={film.playing ? 'pause' : 'play'} />
        {film.playing ? 'Pause both' : 'Play both'}
      </button>
      <button
        type="button"
        className={iconButton}
        aria-label="Both a step on"
        title="Both a step on (→)"
        onClick={() => film.step(1)}
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
  film: Film
}

/** The moment of one side stands in the address under its letter: `?a=3&b=5`. At first both are at their end. */
function useSide(episode: EpisodeDetail, letter: 'a' | 'b'): SideState {
  const { events } = episode
  const panel = usePanel(episode)
  const script = useMemo(() => scriptOf(events, panel ?? null), [events, panel])
  const [at, seek] = useMoment(events.length, letter)
  return { panel, at, seek, film: useFilm(script.moments, at, seek) }
}
