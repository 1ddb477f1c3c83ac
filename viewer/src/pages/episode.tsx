/** The episode page. */
import { useMemo } from 'react'
import { Link, useLocation } from 'wouter'
import type { EpisodeAddress, EpisodeDetail } from '../../../src/server/api.ts'
import { useKeys } from '../ui/keys.ts'
import { Page } from '../frame/page.tsx'
import { linkTo } from '../navigation/routes.ts'
import type { DataSource } from '../data/source.ts'
import { useLoaded } from '../data/hooks.ts'
import { EpisodeHeader } from '../episode/episode-header.tsx'
import { EpisodeView } from '../episode/episode-view.tsx'
import { episodeKeys } from '../episode/playback.ts'
import { useMoment } from '../episode/use-moment.ts'
import { panelOf } from '../suites/index.ts'
import { usePanel } from '../suites/use-panel.ts'
import { WhenLoaded } from '../ui/states.tsx'

interface EpisodePageProps {
  run: string
  index: number
  epoch: number
}

export function EpisodePage({ run, index, epoch }: EpisodePageProps) {
  const loaded = useLoaded(`episode/${run}/${index}/${epoch}`, (source) => openEpisode(source, run, index, epoch))
  const title = loaded.state === 'ready' ? loaded.value.line.sample : ''
  return (
    <Page
      wide
      title={title}
      crumbs={[
        { title: 'Leaderboard', to: linkTo.leaderboard() },
        { title: run, to: linkTo.run(run) },
        { title: title || `Sample ${index}` },
      ]}
    >
      <WhenLoaded of={loaded} what="episode">
        {(episode) => <Opened key={`${run}/${index}/${epoch}`} episode={episode} />}
      </WhenLoaded>
    </Page>
  )
}

/** Also loads the suite's panel, as soon as the suite is known. */
async function openEpisode(source: DataSource, run: string, index: number, epoch: number): Promise<EpisodeDetail> {
  const detail = await source.episode(run, index, epoch)
  await panelOf(source, detail)
  return detail
}

function Opened({ episode }: { episode: EpisodeDetail }) {
  const { events, run, line, previous, next } = episode
  const panel = usePanel(episode)
  const [, go] = useLocation()
  const [at, seek] = useMoment(events.length)
  const open = (to: EpisodeAddress | null) => (to ? () => go(linkTo.episode(run.id, to)) : undefined)
  const goPrevious = open(previous)
  const goNext = open(next)
  useKeys('Run', episodeKeys(goPrevious, goNext))
  const link = useMemo(
    () => () => `${location.href.split('#')[0]}#${linkTo.episode(run.id, line, at)}`,
    [run.id, line, at],
  )
  return (
    <div className="flex min-h-[34rem] flex-col gap-3 h-[calc(100dvh-49px-2.5rem)]">
      <EpisodeHeader episode={episode} />
      {events.length === 0 ? (
        <p className="text-quiet">
          No events were recorded. <Link href={linkTo.run(run.id)}>Back to the run</Link>
        </p>
      ) : (
        <EpisodeView episode={episode} panel={panel} at={at} seek={seek} link={link} />
      )}
    </div>
  )
}
