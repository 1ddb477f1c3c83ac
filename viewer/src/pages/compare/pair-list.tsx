/** All pairs of episodes, largest difference first. */
import { useEffect, useMemo } from 'react'
import type { CompareDetail } from '../../../../src/server/api.ts'
import { useQuery } from '../../navigation/query.ts'
import { linkTo } from '../../navigation/routes.ts'
import { StatusBadge } from '../../ui/badge.tsx'
import { quietButton } from '../../ui/button.ts'
import { FilterMenu } from '../../ui/filter-menu.tsx'
import { formatCount, formatDifference, formatValue, humanize } from '../../ui/format.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { EmptyState } from '../../ui/states.tsx'
import type { TableColumn } from '../../ui/table/column.ts'
import { RowCount } from '../../ui/table/row-count.tsx'
import { VirtualTable } from '../../ui/table/virtual-table.tsx'
import { rememberOrder } from './order.ts'
import {
  filterPairs,
  differenceOf,
  type Only,
  outcomeOf,
  PAIR_SORT_KEYS,
  type PairQuery,
  type PairSortKey,
  type Tally,
} from './pairs.ts'

/** Number of labels with a filter and a column. */
const LABELS = 2

export function PairList({ detail, tally }: { detail: CompareDetail; tally: Tally }) {
  const query = useQuery()
  const labels = useMemo(() => labelsOf(detail), [detail])
  const only = readOnly(query.get('only'))
  const sort = readSort(query.get('sort'))
  const text = query.get('q') ?? ''
  const rows = useMemo(
    () =>
      filterPairs(detail, {
        only,
        text,
        sort,
        labels: Object.fromEntries(labels.map(({ name }) => [name, query.all(`label.${name}`)])),
      }),
    // The query text covers the filters.
    [detail, labels, query.text],
  )
  useEffect(() => rememberOrder(detail, rows), [detail, rows])
  const columns = useMemo(() => columnsOf(detail, labels), [detail, labels])
  const options = ONLY.filter(({ value }) => value === 'all' || tally[value] > 0).map(({ value, title }) => ({
    value,
    title: `${title} ${formatCount(tally[value])}`,
  }))
  const filtered = text !== '' || only !== 'all' || labels.some(({ name }) => query.all(`label.${name}`).length > 0)
  return (
    <section aria-labelledby="pairs" className="mt-6">
      <h2 id="pairs" className="mb-2 text-base font-semibold">
        Episode pairs
      </h2>
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <div className="max-w-full overflow-x-auto">
          <Segmented
            label="Filter pairs"
            value={only}
            options={options}
            onChange={(value) => query.set({ only: value === 'all' ? null : value })}
          />
        </div>
        <SearchField
          label="Search samples"
          placeholder="Search samples…"
          value={text}
          onChange={(q) => query.set({ q: q === '' ? null : q })}
          className="w-40"
        />
        {labels.map(({ name, values }) => (
          <FilterMenu
            key={name}
            label={humanize(name)}
            values={values}
            chosen={query.all(`label.${name}`)}
            onChange={(chosen) => query.set({ [`label.${name}`]: chosen })}
          />
        ))}
        {filtered && (
          <button
            type="button"
            className={quietButton}
            onClick={() =>
              query.set({
                only: null,
                q: null,
                ...Object.fromEntries(labels.map(({ name }) => [`label.${name}`, null])),
              })
            }
          >
            Clear
          </button>
        )}
        <span className="ml-auto">
          <RowCount shown={rows.length} all={detail.pairs.length} noun="pair" />
        </span>
      </div>
      {rows.length === 0 ? (
        <EmptyState title="No matching pairs" />
      ) : (
        <VirtualTable
          label="Pairs of episodes"
          noun="pair"
          columns={columns}
          rows={rows}
          href={(row) => {
            const { a, b, epoch } = detail.pairs[row]!
            return linkTo.pair(detail.a.id, detail.b.id, { indexA: a.index, indexB: b.index, epoch })
          }}
          sort={sort.key === 'disagreement' ? { key: 'difference', descending: true } : sort}
          onSort={(key) => query.set({ sort: nextSort(key, sort) })}
          order={query.text}
          version={detail}
          remember={`compare/${detail.a.id}/${detail.b.id}?${query.text}`}
        />
      )}
    </section>
  )
}

const ONLY: readonly { value: Only; title: string }[] = [
  { value: 'all', title: 'All' },
  { value: 'a', title: 'A better' },
  { value: 'b', title: 'B better' },
  { value: 'equal', title: 'Tied' },
  { value: 'none', title: 'No score' },
  { value: 'failed', title: 'Failed' },
]

function readOnly(text: string | null): Only {
  return ONLY.find(({ value }) => value === text)?.value ?? 'all'
}

function readSort(text: string | null): PairQuery['sort'] {
  const descending = text?.startsWith('-') === true
  const name = descending ? text.slice(1) : text
  const key = PAIR_SORT_KEYS.find((each) => each === name)
  return key ? { key, descending } : { key: 'disagreement', descending: true }
}

/** First by absolute difference, then by signed difference in both directions. */
function nextSort(key: string, before: PairQuery['sort']): string | null {
  const known = PAIR_SORT_KEYS.find((each) => each === key)
  if (!known) return null
  if (before.key !== known) return `${startsDescending(known) ? '-' : ''}${known}`
  if (before.descending === startsDescending(known)) return `${before.descending ? '' : '-'}${known}`
  return null
}

function startsDescending(key: PairSortKey): boolean {
  return key !== 'sample'
}

interface LabelValues {
  name: string
  values: { value: string; count: number }[]
}

function labelsOf({ pairs }: CompareDetail): LabelValues[] {
  const counts = new Map<string, Map<string, number>>()
  for (const { labels } of pairs) {
    for (const [name, value] of Object.entries(labels)) {
      const known = counts.get(name) ?? new Map<string, number>()
      counts.set(name, known)
      known.set(value, (known.get(value) ?? 0) + 1)
    }
  }
  return [...counts]
    .filter(([, values]) => values.size > 1)
    .sort(([a], [b]) => Number(b === 'type') - Number(a === 'type'))
    .slice(0, LABELS)
    .map(([name, values]) => ({
      name,
      values: [...values].map(([value, count]) => ({ value, count })).sort((a, b) => (a.value < b.value ? -1 : 1)),
    }))
}

function columnsOf(detail: CompareDetail, labels: readonly LabelValues[]): TableColumn[] {
  const { pairs, unit, better } = detail
  const repeats = pairs.some(({ epoch }) => epoch > 1)
  return [
    {
      key: 'sample',
      title: 'Sample',
      width: 11,
      grow: 2,
      link: true,
      narrowOrder: 0,
      cell: (row) => `${pairs[row]!.sample}${repeats ? ` #${pairs[row]!.epoch}` : ''}`,
    },
    ...labels.map(({ name }): TableColumn => ({
      key: `label.${name}`,
      title: humanize(name),
      width: 8,
      grow: 1,
      sortable: false,
      cell: (row) => humanize(pairs[row]!.labels[name] ?? ''),
    })),
    {
      key: 'a',
      title: 'A',
      width: 5,
      align: 'right',
      narrowOrder: 2,
      cell: (row) => formatValue(pairs[row]!.a.score, unit),
    },
    {
      key: 'b',
      title: 'B',
      width: 5,
      align: 'right',
      narrowOrder: 2,
      cell: (row) => formatValue(pairs[row]!.b.score, unit),
    },
    {
      key: 'difference',
      title: 'B − A',
      width: 11,
      align: 'right',
      narrowOrder: 3,
      cell: (row) => {
        const pair = pairs[row]!
        return (
          <span className="inline-flex items-center gap-2">
            {unit === 'percent' && <DifferenceBar value={differenceOf(pair)} look={LOOKS[outcomeOf(pair, better)]} />}
            <span className="w-14">{formatDifference(differenceOf(pair), null, unit)}</span>
          </span>
        )
      },
    },
    {
      key: 'statusA',
      title: 'Status A',
      width: 8,
      sortable: false,
      cell: (row) => <StatusBadge status={pairs[row]!.a.status} />,
    },
    {
      key: 'statusB',
      title: 'Status B',
      width: 8,
      sortable: false,
      cell: (row) => <StatusBadge status={pairs[row]!.b.status} />,
    },
  ]
}

const LOOKS = { a: 'bg-first', b: 'bg-second', equal: 'bg-quiet', none: 'bg-quiet' } as const

/** A bar from the middle toward the higher score. */
function DifferenceBar({ value, look }: { value: number | null; look: string }) {
  const share = value === null ? 0 : Math.min(1, Math.abs(value)) * 50
  return (
    <span className="relative block h-1.5 w-20 rounded-full bg-line/70" aria-hidden="true">
      <span
        className={`absolute h-full rounded-full ${look}`}
        style={{ width: `${share}%`, left: value !== null && value < 0 ? `${50 - share}%` : '50%' }}
      />
      <span className="absolute left-1/2 -top-0.5 h-2.5 w-px bg-quiet" />
    </span>
  )
}
