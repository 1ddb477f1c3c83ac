import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { RunRow, SharedDetail } from '../../../../src/server/api.ts'
import { useLoaded } from '../../data/hooks.ts'
import { linkTo } from '../../navigation/routes.ts'
import { StateBadge } from '../../ui/badge.tsx'
import { card } from '../../ui/button.ts'
import { formatCount, formatShare, formatUsd, plural } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Score, ScorePlot } from '../../ui/score.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { cellOf, haveSameSamples, type Matrix, type MatrixRow, playersOf, shownRuns } from './matrix.ts'

export function MatrixView({ matrix }: { matrix: Matrix }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const shown = matrix.suites.map(({ suite, rows }) => ({
    suite,
    rows: rows.slice(0, open.has(suite) ? undefined : 1),
  }))
  // A column for every player of the rows in view, so that none is empty.
  const players = playersOf(shown.flatMap(({ rows }) => rows))
  const toggle = (suite: string): void => {
    const next = new Set(open)
    if (!next.delete(suite)) next.add(suite)
    setOpen(next)
  }
  if (players.length === 0) return <EmptyState title="No scores yet" />
  return (
    <div className={`${card} relative overflow-x-auto`} role="region" aria-label="Scores" tabIndex={0}>
      <table className="w-max min-w-full border-collapse text-left">
        <caption className="sr-only">Scores by suite and player</caption>
        <thead>
          <tr className="border-b border-line bg-ground text-xs text-quiet">
            <th scope="col" className="sticky left-0 z-10 bg-ground px-4 py-2 font-medium max-sm:px-3">
              Suite
            </th>
            {players.map((player) => (
              <th key={player} scope="col" className="px-3 py-2 font-medium whitespace-nowrap">
                <PlayerName player={player} />
              </th>
            ))}
          </tr>
        </thead>
        {matrix.suites.map(({ suite, rows }, i) => (
          <tbody key={suite} className="border-b border-line last:border-b-0">
            {shown[i]!.rows.map((row, j) => (
              <SuiteRow key={row.group} row={row} players={players} first={j === 0}>
                {j === 0 && rows.length > 1 && (
                  <MoreButton open={open.has(suite)} more={rows.length - 1} toggle={() => toggle(suite)} />
                )}
              </SuiteRow>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

function MoreButton({ open, more, toggle }: { open: boolean; more: number; toggle: () => void }) {
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={toggle}
      className="mt-1 inline-flex items-center gap-1 text-left text-xs text-accent hover:underline"
    >
      <Icon name={open ? 'chevronUp' : 'chevronDown'} className="size-3" />
      {open ? 'Show less' : plural(more, 'more configuration')}
    </button>
  )
}

/** Runs with less than this share of the samples of the largest run do not decide what is shared. */
const LEAST_SHARE = 0.5

interface SuiteRowProps {
  row: MatrixRow
  players: readonly string[]
  first: boolean
  children: ReactNode
}

function SuiteRow({ row, players, first, children }: SuiteRowProps) {
  const runs = shownRuns(row)
  const isShared = runs.length > 1 && !haveSameSamples(runs)
  const ids = isShared ? runs.map(({ id }) => id) : []
  const loaded = useLoaded(`shared/${ids.join(',')}`, async (source) =>
    ids.length === 0 ? null : source.shared(ids, LEAST_SHARE),
  )
  const shared = loaded.state === 'ready' ? loaded.value : null
  return (
    <tr className={first ? '' : 'border-t border-dashed border-line'}>
      <th
        scope="row"
        className="sticky left-0 z-10 w-60 min-w-60 bg-paper px-4 py-2.5 align-top font-normal max-sm:w-36 max-sm:min-w-36 max-sm:px-3"
      >
        <SuiteName row={row} first={first} />
        {runs.length > 1 && (
          <Link
            href={linkTo.shared(runs.map(({ id }) => id))}
            className="mt-1 block text-xs text-accent hover:underline"
          >
            {shared && shared.runs.length > 1
              ? `${formatCount(shared.samples)} of ${plural(shared.all, 'sample')} shared by ${plural(shared.runs.length, 'run')}`
              : isShared && loaded.state === 'loading'
                ? 'Finding shared samples…'
                : `Compare ${plural(runs.length, 'run')}`}
          </Link>
        )}
        {children}
      </th>
      {players.map((player) => {
        const ofPlayer = row.cells.get(player) ?? []
        return (
          <td key={player} className="px-1 py-1.5 align-top">
            <Cell runs={ofPlayer} shared={shared} />
          </td>
        )
      })}
    </tr>
  )
}

function SuiteName({ row, first }: { row: MatrixRow; first: boolean }) {
  return (
    <>
      {first && (
        <div className="font-semibold" title={row.title}>
          {row.suite}
        </div>
      )}
      <div className="text-xs text-quiet [overflow-wrap:anywhere]">
        {row.profile} · {row.source}
      </div>
    </>
  )
}

function PlayerName({ player }: { player: string }) {
  const slash = player.indexOf('/')
  return (
    <>
      <span className="font-normal text-quiet">{player.slice(0, slash + 1)}</span>
      <span className="text-ink">{player.slice(slash + 1)}</span>
    </>
  )
}

function Cell({ runs, shared }: { runs: readonly RunRow[]; shared: SharedDetail | null }) {
  const [run] = runs
  if (!run) return null
  const { headline, planned, counted, coverage, usd } = cellOf(run, shared)
  const own = shared?.leftOut.find(({ run: left }) => left.id === run.id)
  return (
    <Link
      href={linkTo.run(run.id)}
      className="block w-38 rounded-md px-2 py-1 hover:bg-ground"
      title={
        headline === null
          ? undefined
          : runs.length === 1
            ? headline.title
            : `${headline.title}, most complete of ${runs.length} runs`
      }
    >
      {headline === null ? (
        <span className="text-quiet">{run.state === 'running' ? 'no score yet' : 'no score'}</span>
      ) : (
        <>
          <Score {...headline} />
          {headline.unit === 'percent' && headline.value !== null && <ScorePlot score={headline} height={16} />}
        </>
      )}
      {run.state === 'running' ? (
        <span className="mt-1 block">
          <Progress value={run.finished} of={run.planned} label="Episodes" active />
        </span>
      ) : null}
      <span className="mt-0.5 flex items-center gap-1.5 text-xs whitespace-nowrap text-quiet tabular-nums">
        {run.state === 'done' ? (
          <span title={`Coverage: ${formatCount(counted)} of ${plural(planned, 'episode')} behind the score`}>
            {formatShare(coverage)}
          </span>
        ) : (
          <StateBadge state={run.state} reason={run.reason} />
        )}
        {own && <span title={`On its own samples: ${own.reason}`}>own samples</span>}
        <span aria-hidden="true">·</span>
        {usd === null ? <span title="The price of some calls is unknown">$ ?</span> : formatUsd(usd)}
        {runs.length > 1 && <span className="ml-auto">{runs.length} runs</span>}
      </span>
    </Link>
  )
}

/** Legend of a cell. */
export function MatrixLegend() {
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-quiet">
      <span className="inline-flex items-center gap-1.5">
        <svg width="26" height="10" aria-hidden="true" className="text-accent">
          <line
            x1="2"
            x2="24"
            y1="5"
            y2="5"
            stroke="currentColor"
            strokeWidth="3"
            strokeOpacity="0.55"
            strokeLinecap="round"
          />
          <circle cx="13" cy="5" r="4" fill="currentColor" />
        </svg>
        score and 95% CI, from 0 to 100
      </span>
      <span className="inline-flex items-center gap-1.5">
        <svg width="6" height="14" aria-hidden="true">
          <line x1="3" x2="3" y1="0" y2="14" className="stroke-quiet" strokeWidth="1.5" strokeDasharray="2.5 2" />
        </svg>
        chance
      </span>
      <span>coverage · cost</span>
    </p>
  )
}
