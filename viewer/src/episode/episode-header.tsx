/** Sample, status, scores and usage of an episode. */
import { Link } from 'wouter'
import type { EpisodeAddress, EpisodeDetail } from '../../../src/server/api.ts'
import { linkTo } from '../navigation/routes.ts'
import { StatusBadge } from '../ui/badge.tsx'
import { iconButton } from '../ui/button.ts'
import { Fact } from '../ui/fact.tsx'
import { formatDuration, formatSmallUsd, humanize } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { ErrorType } from './error-type.tsx'
import { Scores } from './scores.tsx'
import { formatTokens } from './format.ts'

export function EpisodeHeader({ episode }: { episode: EpisodeDetail }) {
  const { run, line, previous, next } = episode
  const { usage } = line
  const labels = Object.entries(line.labels)
  return (
    <header className="flex shrink-0 flex-wrap items-start gap-x-6 gap-y-1.5">
      <div className="min-w-0 flex-1 basis-72">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-0.5">
          <h1 className="min-w-0 text-base font-semibold [overflow-wrap:anywhere]">{line.sample}</h1>
          <span className="text-[13px]">
            <StatusBadge status={line.status} />
          </span>
          {line.epoch > 1 && <span className="text-[13px] text-quiet">epoch {line.epoch}</span>}
        </div>
        <p className="flex flex-wrap gap-x-3 text-[13px] text-quiet">
          <span className="font-medium text-ink [overflow-wrap:anywhere]">{run.player}</span>
          <span>{run.suite}</span>
          {labels.map(([name, value]) => (
            <span key={name} className="[overflow-wrap:anywhere]">
              {humanize(name)} <span className="text-ink">{humanize(value)}</span>
            </span>
          ))}
        </p>
        {line.error !== undefined && (
          <p className="text-[13px] text-warn [overflow-wrap:anywhere]">{line.error.slice(0, 600)}</p>
        )}
      </div>
      <Scores episode={episode} />
      <ErrorType episode={episode} />
      <dl className="flex flex-wrap gap-x-4 text-[13px]">
        <Fact name="calls">{usage.calls.toLocaleString('en')}</Fact>
        {usage.inputTokens + usage.outputTokens > 0 && (
          <Fact name="tokens">
            {formatTokens(usage.inputTokens)} → {formatTokens(usage.outputTokens)}
          </Fact>
        )}
        {usage.usd !== 0 && <Fact name="cost">{formatSmallUsd(usage.usd)}</Fact>}
        <Fact name="time">{formatDuration(line.ms)}</Fact>
      </dl>
      <nav aria-label="Episodes of this run" className="flex">
        <Neighbor run={run.id} to={previous} title="Previous episode (k)" icon="chevronLeft" />
        <Neighbor run={run.id} to={next} title="Next episode (j)" icon="chevronRight" />
      </nav>
    </header>
  )
}

function Neighbor({
  run,
  to,
  title,
  icon,
}: {
  run: string
  to: EpisodeAddress | null
  title: string
  icon: 'chevronLeft' | 'chevronRight'
}) {
  if (!to) {
    return (
      <span className={`${iconButton} opacity-35`} aria-hidden="true">
        <Icon name={icon} />
      </span>
    )
  }
  return (
    <Link
      href={linkTo.episode(run, to)}
      className={iconButton}
      aria-label={`${title}: ${to.sample}`}
      title={`${title}: ${to.sample}`}
    >
      <Icon name={icon} />
    </Link>
  )
}
