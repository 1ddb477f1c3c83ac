import { useMemo } from 'react'
import { groupBy } from '../../../../src/base/group.ts'
import type { LiveEvent, RunRow } from '../../../../src/server/api.ts'
import { useQuery } from '../../navigation/query.ts'
import { linkTo } from '../../navigation/routes.ts'
import { StateBadge } from '../../ui/badge.tsx'
import { quietButton } from '../../ui/button.ts'
import { FilterMenu, type FilterValue } from '../../ui/filter-menu.tsx'
import { formatAgo, formatCount, formatDate, formatDuration, formatShare, formatUsd } from '../../ui/format.ts'
import { Progress } from '../../ui/progress.tsx'
import { Score, ScorePlot } from '../../ui/score.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { EmptyState } from '../../ui/states.tsx'
import type { TableColumn } from '../../ui/table/column.ts'
import { RowCount } from '../../ui/table/row-count.tsx'
import { VirtualTable } from '../../ui/table/virtual-table.tsx'
import { filterRuns, isSortKey, type SortKey } from './list.ts'
import { useSelection } from './selection.tsx'

interface RunListProps {
  runs: readonly RunRow[]
  live: ReadonlyMap<string, LiveEvent>
}

export function RunList({ runs, live }: RunListProps) {
  const query = useQuery()
  const { picks, toggle } = useSelection()
  const sort = readSort(query.get('sort'))
  const text = query.get('q') ?? ''
  const chosen = useMemo(
    () =>
      filterRuns(runs, {
        suites: query.all('suite'),
        players: query.all('player'),
        states: query.all('state'),
        text,
        sort,
      }),
    // The query text covers all filters.
    [runs, query.text],
  )
  const rows = useMemo(() => chosen.map((_, i) => i), [chosen])
  // Selection and live updates change rows without changing their order.
  const version = useMemo(() => ({}), [chosen, query.text, live])
  const now = Date.now()
  const columns: TableColumn[] = [
    {
      key: 'pick',
      title: 'Compare',
      width: 2.5,
      narrowOrder: 0,
      sortable: false,
      headerHidden: true,
      cell: (row) => {
        const run = chosen[row]!
        return (
          <input
            type="checkbox"
            className="size-3.5 align-middle accent-accent"
            aria-label={`Select ${run.player} on ${run.suite} to compare`}
            checked={picks.includes(run.id)}
            onChange={() => toggle(run.id)}
          />
        )
      },
    },
    {
      key: 'player',
      title: 'Player',
      width: 11.5,
      narrowWidth: 7.5,
      narrowOrder: 1,
      grow: 1.6,
      link: true,
      cell: (row) => chosen[row]!.player,
    },
    {
      key: 'suite',
      title: 'Suite',
      width: 8.5,
      narrowWidth: 7,
      narrowOrder: 2,
      grow: 1,
      cell: (row) => chosen[row]!.suite,
    },
    {
      key: 'score',
      title: 'Score',
      width: 10.5,
      narrowWidth: 5,
      narrowOrder: 3,
      cell: (row) => <ScoreCell run={chosen[row]!} />,
    },
    {
      key: 'plot',
      title: 'Score plot',
      headerHidden: true,
      width: 5,
      grow: 1,
      sortable: false,
      wideOnly: true,
      cell: (row) => <PlotCell run={chosen[row]!} />,
    },
    {
      key: 'episodes',
      title: 'Episodes',
      width: 8.5,
      cell: (row) => <EpisodesCell run={chosen[row]!} live={live.get(chosen[row]!.id)} />,
    },
    {
      key: 'coverage',
      title: 'Coverage',
      width: 6,
      align: 'right',
      cell: (row) => formatShare(chosen[row]!.coverage),
    },
    { key: 'cost', title: 'Cost', width: 5.25, align: 'right', cell: (row) => costOf(chosen[row]!) },
    {
      key: 'state',
      title: 'State',
      width: 7,
      cell: (row) => <StateBadge state={chosen[row]!.state} reason={chosen[row]!.reason} />,
    },
    { key: 'profile', title: 'Profile', width: 5, cell: (row) => chosen[row]!.profile },
    {
      key: 'created',
      title: 'Started',
      width: 6.5,
      cell: (row) => <span title={formatDate(chosen[row]!.created)}>{formatAgo(chosen[row]!.created, now)}</span>,
    },
  ]
  const filtered = query.text !== '' && chosen.length < runs.length
  return (
    <section aria-labelledby="all-runs">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <h2 id="all-runs" className="mr-2 text-base font-semibold">
          All runs
        </h2>
        <SearchField
          label="Search runs"
          placeholder="Search…"
          value={text}
          onChange={(q) => query.set({ q: q === '' ? null : q })}
          className="w-48 max-sm:w-full"
        />
        {FILTERS.map(({ name, label, of }) => (
          <FilterMenu
            key={name}
            label={label}
            values={valuesOf(runs, of)}
            chosen={query.all(name)}
            onChange={(values) => query.set({ [name]: values })}
          />
        ))}
        {filtered && (
          <button
            type="button"
            className={quietButton}
            onClick={() => query.set({ q: null, suite: null, player: null, state: null })}
          >
            Clear
          </button>
        )}
        <span className="ml-auto">
          <RowCount shown={chosen.length} all={runs.length} noun="run" />
        </span>
      </div>
      {chosen.length === 0 ? (
        <EmptyState title="No matching runs" />
      ) : (
        <VirtualTable
          label="Runs"
          noun="run"
          columns={columns}
          rows={rows}
          href={(row) => linkTo.run(chosen[row]!.id)}
          sort={sort}
          onSort={(key) => {
            if (isSortKey(key)) query.set({ sort: writeSort(key, sort) })
          }}
          order={query.text}
          version={version}
          remember="leaderboard"
        />
      )}
    </section>
  )
}

const FILTERS = [
  { name: 'suite', label: 'Suite', of: (run: RunRow) => run.suite },
  { name: 'player', label: 'Player', of: (run: RunRow) => run.player },
  { name: 'state', label: 'State', of: (run: RunRow) => run.state },
] as const

function valuesOf(runs: readonly RunRow[], of: (run: RunRow) => string): FilterValue[] {
  return [...groupBy(runs, of)]
    .map(([value, found]) => ({ value, count: found.length }))
    .sort((a, b) => (a.value < b.value ? -1 : 1))
}

const NEWEST_FIRST = { key: 'created', descending: true } as const

/** `-score` means descending. */
function readSort(text: string | null): { key: SortKey; descending: boolean } {
  if (text === null) return NEWEST_FIRST
  const descending = text.startsWith('-')
  const key = descending ? text.slice(1) : text
  return isSortKey(key) ? { key, descending } : NEWEST_FIRST
}

const LARGEST_FIRST: ReadonlySet<SortKey> = new Set(['created', 'score', 'episodes', 'coverage', 'cost'])

/** A second click reverses the order. */
function writeSort(key: SortKey, before: { key: SortKey; descending: boolean }): string {
  const descending = before.key === key ? !before.descending : LARGEST_FIRST.has(key)
  return `${descending ? '-' : ''}${key}`
}

function ScoreCell({ run }: { run: RunRow }) {
  if (!run.headline) return <span className="text-quiet">–</span>
  return <Score {...run.headline} wideInterval />
}

function PlotCell({ run }: { run: RunRow }) {
  const { headline } = run
  return headline?.unit === 'percent' && headline.value !== null ? <ScorePlot score={headline} /> : null
}

function EpisodesCell({ run, live }: { run: RunRow; live: LiveEvent | undefined }) {
  if (run.state !== 'running') {
    return (
      <span className="tabular-nums">
        {formatCount(run.finished)}
        {run.finished < run.planned && <span className="text-quiet"> of {formatCount(run.planned)}</span>}
      </span>
    )
  }
  const rate = live?.rate ?? null
  return (
    <span className="block leading-tight">
      <span className="flex justify-between gap-2 text-xs tabular-nums">
        <span>
          {formatCount(run.finished)} of {formatCount(run.planned)}
        </span>
        {rate !== null && rate > 0 && (
          <span className="text-quiet" title={`Time left at ${rate.toFixed(2)} episodes/s`}>
            {formatDuration(((run.planned - run.finished) / rate) * 1000)}
          </span>
        )}
      </span>
      <Progress value={run.finished} of={run.planned} label={`Finished episodes of ${run.player}`} active />
    </span>
  )
}

function costOf({ usd }: RunRow): string {
  return usd === null ? 'unknown' : formatUsd(usd)
}
