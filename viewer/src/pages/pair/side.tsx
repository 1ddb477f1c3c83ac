/** One episode of a pair. */
import { Link } from 'wouter'
import type { EpisodeDetail } from '../../../../src/server/api.ts'
import { linkTo } from '../../navigation/routes.ts'
import { EpisodeView } from '../../episode/episode-view.tsx'
import type { SuitePanel } from '../../episode/panel.ts'
import { MainScores } from '../../episode/scores.tsx'
import { StatusBadge } from '../../ui/badge.tsx'
import { card } from '../../ui/button.ts'
import { formatDuration, formatSmallUsd } from '../../ui/format.ts'
import { Letter } from '../compare/compare-header.tsx'

interface SideProps {
  letter: 'A' | 'B'
  episode: EpisodeDetail
  panel: SuitePanel | undefined
  at: number
  seek: (at: number) => void
}

export function Side({ letter, episode, panel, at, seek }: SideProps) {
  const { run, line, events } = episode
  return (
    <section
      aria-label={`Episode of run ${letter}`}
      className="flex h-[40rem] min-w-0 flex-col gap-2 lg:h-[max(34rem,calc(100dvh-9rem))]"
    >
      <header className={`${card} flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-[13px]`}>
        <Letter letter={letter} />
        <Link href={linkTo.episode(run.id, line, at)} className="min-w-0 truncate font-semibold hover:underline">
          {run.player}
        </Link>
        <StatusBadge status={line.status} />
        <MainScores episode={episode} />
        <span className="ml-auto text-quiet tabular-nums">
          {formatDuration(line.ms)}
          {line.usage.usd !== 0 && ` · ${formatSmallUsd(line.usage.usd)}`}
        </span>
        {line.error !== undefined && (
          <p className="w-full text-warn [overflow-wrap:anywhere]">{line.error.slice(0, 300)}</p>
        )}
      </header>
      {events.length === 0 ? (
        <p className="p-4 text-quiet">No events were recorded.</p>
      ) : (
        <EpisodeView episode={episode} panel={panel} at={at} seek={seek} compact />
      )}
    </section>
  )
}
