import { useState } from 'react'
import { Link } from 'wouter'
import type { RunRow } from '../../../../src/server/api.ts'
import { linkTo } from '../../navigation/routes.ts'
import { StateBadge } from '../../ui/badge.tsx'
import { card } from '../../ui/button.ts'
import { formatShare, formatUsd, plural } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Score, ScorePlot } from '../../ui/score.tsx'
import type { Matrix, MatrixRow, SuiteRows } from './matrix.ts'

export function MatrixView({ matrix }: { matrix: Matrix }) {
  return (
    <div className={`${card} relative overflow-x-auto`}>
      <table className="w-max min-w-full border-collapse text-left">
        <caption className="sr-only">Scores by suite and player</caption>
        <thead>
          <tr className="border-b border-line bg-ground text-xs text-quiet">
            <th scope="col" className="sticky left-0 z-10 bg-ground px-4 py-2 font-medium">
              Suite
            </th>
            {matrix.players.map((player) => (
              <th key={player} scope="col" className="px-3 py-2 font-medium whitespace-nowrap">
                <PlayerName player={player} />
              </th>
            ))}
          </tr>
        </thead>
        {matrix.suites.map((suite) => (
          <SuiteBody key={suite.suite} suite={suite} players={matrix.players} />
        ))}
      </table>
    </div>
  )
}

function SuiteBody({ suite, players }: { suite: SuiteRows; players: readonly string[] }) {
  const [open, setOpen] = useState(false)
  const more = suite.rows.length - 1
  return (
    <tbody className="border-b border-line last:border-b-0">
      {suite.rows.slice(0, open ? undefined : 1).map((row, i) => (
        <tr key={row.settings} className={i > 0 ? 'border-t border-dashed border-line' : ''}>
          <th
            scope="row"
            className="sticky left-0 z-10 w-60 min-w-60 bg-paper px-4 py-2.5 align-top font-normal max-sm:w-36 max-sm:min-w-36 max-sm:px-3"
          >
            <SuiteName row={row} first={i === 0} />
            {i === 0 && more > 0 && (
              <button
                type="button"
                aria-expanded={open}
                onClick={() => setOpen(!open)}
                className="mt-1 inline-flex items-center gap-1 text-xs text-accent hover:underline"
              >
                <Icon name={open ? 'chevronUp' : 'chevronDown'} className="size-3" />
                {open ? 'Show less' : plural(more, 'more configuration')}
              </button>
            )}
          </th>
          {players.map((player) => (
            <td key={player} className="px-1 py-1.5 align-top">
              <Cell runs={row.cells.get(player) ?? []} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
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
        {row.profile} · {row.source} · {plural(row.planned, 'episode')}
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

function Cell({ runs }: { runs: readonly RunRow[] }) {
  const [run] = runs
  if (!run) {
    return (
      <span className="block px-2 py-1 text-line" aria-label="no run">
        –
      </span>
    )
  }
  const { headline } = run
  return (
    <Link
      href={linkTo.run(run.id)}
      className="block w-38 rounded-md px-2 py-1 hover:bg-ground"
      title={
        headline === null
          ? undefined
          : runs.length === 1
            ? headline.title
            : `${headline.title}, newest of ${runs.length} runs`
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
          <span title="Coverage: share of planned episodes behind the score">{formatShare(run.coverage)}</span>
        ) : (
          <StateBadge state={run.state} reason={run.reason} />
        )}
        <span aria-hidden="true">·</span>
        {run.usd === null ? <span title="The price of some calls is unknown">$ ?</span> : formatUsd(run.usd)}
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
