/** Header of a run page with its headline score. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { LiveEvent, RunDetail, RunRow } from '../../../../src/server/api.ts'
import { linkTo } from '../../navigation/routes.ts'
import { StateBadge } from '../../ui/badge.tsx'
import { CopyLine } from '../../ui/copy.tsx'
import { formatCount, formatDate, formatDuration, formatShare, formatUsd, formatValue } from '../../ui/format.ts'
import { Progress } from '../../ui/progress.tsx'
import { Score, ScorePlot } from '../../ui/score.tsx'
import { CompareWith } from './compare-with.tsx'

export function RunHeading({ detail, live }: { detail: RunDetail; live: LiveEvent | null }) {
  const row = live?.run ?? detail.row
  const { headline } = row
  return (
    <header className="mb-4 grid grid-cols-1 gap-x-8 gap-y-4 md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="text-xl font-semibold tracking-tight [overflow-wrap:anywhere]">
            {row.player} <span className="font-normal text-quiet">on</span> {row.suite}
          </h1>
          <StateBadge state={row.state} reason={row.reason} />
          <CompareWith run={row} />
        </div>
        <p className="mt-0.5 text-quiet">{row.suiteTitle}</p>
        <dl className="mt-3 flex flex-wrap gap-x-6 gap-y-2">
          <Fact title="Episodes">
            {formatCount(row.finished)}
            {row.finished !== row.planned && <span className="text-quiet"> of {formatCount(row.planned)}</span>}
          </Fact>
          <Fact title="Coverage">{formatShare(row.coverage)}</Fact>
          <Fact title="Cost">{formatUsd(row.usd)}</Fact>
          <Fact title="Total episode time">{formatDuration(detail.ms)}</Fact>
          <Fact title="Profile">{row.profile}</Fact>
          <Fact title="Source">{row.source}</Fact>
          <Fact title="Started">{formatDate(row.created)}</Fact>
        </dl>
      </div>
      {headline && headline.value !== null && (
        <div className="w-full md:w-72">
          <p className="text-[13px] text-quiet">{headline.title}</p>
          <p aria-live="polite" aria-atomic="true">
            <Score {...headline} size="large" />
          </p>
          {headline.unit === 'percent' && <ScorePlot score={headline} height={22} />}
          {headline.chance !== null && (
            <p className="text-xs text-quiet">
              chance <span className="tabular-nums">{formatValue(headline.chance, headline.unit)}</span>
            </p>
          )}
        </div>
      )}
      {row.state === 'running' && <RunProgress live={live} finished={row.finished} planned={row.planned} />}
      {row.state !== 'done' && row.reason !== null && <StopReason run={row} reason={row.reason} />}
      {row.problem !== undefined && (
        <p role="alert" className="rounded-md bg-bad/10 px-3 py-2 text-[13px] text-bad md:col-span-2">
          {row.problem}
        </p>
      )}
    </header>
  )
}

/** Why a run stopped, and how to resume it. */
function StopReason({ run: { id, state, player }, reason }: { run: RunRow; reason: string }) {
  const look = state === 'failed' ? 'bg-bad/10 text-bad' : 'bg-warn/10 text-warn'
  return (
    <div className={`flex flex-col gap-2 rounded-md px-3 py-2 text-[13px] md:col-span-2 ${look}`}>
      <p className="[overflow-wrap:anywhere]">{reason}</p>
      {state === 'running' ? null : player.startsWith('human/') ? (
        <Link href={linkTo.play()} className="self-start underline">
          Resume on the Play page
        </Link>
      ) : (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-ink">Resume it with</span>
          <div className="max-w-full min-w-0">
            <CopyLine text={`sightline resume ${id}`} label="command that resumes the run" />
          </div>
        </div>
      )}
    </div>
  )
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-quiet">{title}</dt>
      <dd className="tabular-nums [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

function RunProgress({ live, finished, planned }: { live: LiveEvent | null; finished: number; planned: number }) {
  const rate = live?.rate ?? null
  return (
    <div className="md:col-span-2">
      <Progress value={finished} of={planned} label="Finished episodes" active />
      <p className="mt-1 text-xs text-quiet tabular-nums">
        {formatCount(finished)} of {formatCount(planned)} episodes
        {rate !== null && rate > 0 && (
          <>
            {' · '}
            {formatRate(rate)} · {formatDuration(((planned - finished) / rate) * 1000)} left
          </>
        )}
      </p>
    </div>
  )
}

function formatRate(perSecond: number): string {
  if (perSecond >= 1) return `${perSecond.toFixed(1)}/s`
  return perSecond * 60 >= 1 ? `${(perSecond * 60).toFixed(1)}/min` : `${(perSecond * 3600).toFixed(1)}/h`
}
