/** The table of all episodes of a run. */
import { useMemo, useRef } from 'react'
import type { DescribedField } from '../../../../src/server/api.ts'
import { useKeys } from '../../ui/keys.ts'
import { linkTo } from '../../navigation/routes.ts'
import { StatusBadge } from '../../ui/badge.tsx'
import { quietButton } from '../../ui/button.ts'
import { FilterMenu, type FilterValue } from '../../ui/filter-menu.tsx'
import { formatDuration, formatSmallUsd, formatValue, humanize } from '../../ui/format.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { EmptyState, ErrorMessage } from '../../ui/states.tsx'
import type { TableColumn } from '../../ui/table/column.ts'
import { RowCount } from '../../ui/table/row-count.tsx'
import { VirtualTable } from '../../ui/table/virtual-table.tsx'
import { DescribedCell, DescriptionsOf } from './episode-descriptions.tsx'
import { type EpisodeData, valueCounts } from './episode-data.ts'
import { labelParameter, useTableQuery } from './run-query.ts'
import { ScoreFilter } from './score-filter.tsx'
import { useTranscriptSearch } from './use-transcript-search.ts'

/** Number of labels with a column; all labels have a filter. With descriptions there is less room. */
const LABEL_COLUMNS = 3
const LABEL_COLUMNS_BESIDE_DESCRIPTIONS = 1

const DESCRIBED: Readonly<Record<DescribedField, Pick<TableColumn, 'title' | 'width' | 'grow' | 'narrowOrder'>>> = {
  image: { title: 'Image', width: 4 },
  question: { title: 'Question', width: 14, grow: 4, narrowOrder: 2 },
  answer: { title: 'Answer', width: 8, grow: 2, narrowOrder: 3 },
  truth: { title: 'Ground truth', width: 8, grow: 2, narrowOrder: 4 },
}

export function EpisodeTable({ run, data }: { run: string; data: EpisodeData }) {
  const table = useTableQuery(data)
  const { query, filter, sort } = table
  const search = useTranscriptSearch(run, table.transcriptText, data.count)
  const rows = useMemo(
    () => data.rows({ ...filter, foundRows: search.state === 'found' ? search.rows : null }, sort),
    // The query text covers filter and order.
    [data, query.text, search.state === 'found' ? search.rows : null],
  )
  const facets = useMemo(() => facetsOf(data), [data])
  const columns = useMemo(() => columnsOf(data, facets, table.metrics), [data, facets, table.metrics.join('\n')])
  const searchInput = useRef<HTMLInputElement>(null)
  useKeys('Table', [{ keys: ['/'], title: 'Search', run: () => searchInput.current?.focus() }])
  return (
    <section aria-label="Episodes" className="[--table-height:max(24rem,calc(100dvh-18.5rem))]">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <div className="flex max-sm:w-full">
          <SearchField
            ref={searchInput}
            label="Search episodes"
            placeholder={table.query.get('in') === 'said' ? 'Transcript text…' : 'Id or error…'}
            value={query.get('q') ?? ''}
            delayMs={query.get('in') === 'said' ? 400 : 0}
            onChange={(q) => query.set({ q: q === '' ? null : q })}
            className="min-w-0 flex-1 sm:w-52 [&_input]:rounded-r-none"
          />
          <Select
            label="Search in"
            hideLabel
            value={query.get('in') === 'said' ? 'said' : 'id'}
            options={SEARCH_IN}
            onChange={(where) => query.set({ in: where === 'said' ? 'said' : null })}
            className="[&_select]:rounded-l-none [&_select]:border-l-0"
          />
        </div>
        <FilterMenu
          label="Status"
          values={facets.statuses}
          chosen={filter.statuses}
          onChange={(status) => query.set({ status })}
        />
        {facets.labels.map(({ name, values }) => (
          <FilterMenu
            key={name}
            label={capitalize(name)}
            values={values}
            chosen={filter.labels[name] ?? []}
            onChange={(chosen) => query.set({ [labelParameter(name)]: chosen })}
          />
        ))}
        {facets.manyClusters && (
          <FilterMenu
            label={facets.clusterTitle}
            values={facets.clusters}
            chosen={filter.clusters}
            onChange={(cluster) => query.set({ cluster })}
          />
        )}
        {filter.metric !== null && (
          <ScoreFilter data={data} metric={filter.metric} min={filter.min} max={filter.max} onChange={query.set} />
        )}
        {Object.keys(data.columns.scores).length > 1 && (
          <FilterMenu
            label="Columns"
            values={Object.keys(data.columns.scores)
              .filter((name) => name !== data.columns.mainScore)
              .map((name) => ({ value: name, title: data.title(name) }))}
            chosen={query.all('cols')}
            onChange={(cols) => query.set({ cols })}
          />
        )}
        {table.isFiltered && (
          <button type="button" className={quietButton} onClick={table.clear}>
            Clear
          </button>
        )}
        <span className="ml-auto">
          {search.state === 'searching' ? (
            <span role="status" className="text-[13px] text-quiet">
              Searching…
            </span>
          ) : (
            <RowCount shown={rows.length} all={data.count} noun="episode" />
          )}
        </span>
      </div>
      {search.state === 'failed' ? (
        <ErrorMessage error={search.error} />
      ) : rows.length === 0 ? (
        <EmptyState title={data.count === 0 ? 'No finished episodes yet' : 'No matching episodes'} />
      ) : (
        <DescriptionsOf run={run}>
          <VirtualTable
            label="Episodes"
            noun="episode"
            ownsKeys
            columns={columns}
            rows={rows}
            href={(row) => linkTo.episode(run, data.key(row))}
            sort={sort.key === 'index' ? null : sort}
            onSort={table.sortBy}
            order={query.text}
            version={data}
            remember={`run/${run}?${query.text}`}
          />
        </DescriptionsOf>
      )}
    </section>
  )
}

const SEARCH_IN = [
  { value: 'id', title: 'id, error' },
  { value: 'said', title: 'transcript' },
] as const

/** Filter values, counted and sorted when a menu opens. */
type Values = () => readonly FilterValue[]

interface Facets {
  statuses: Values
  labels: { name: string; values: Values }[]
  clusters: Values
  manyClusters: boolean
  clusterTitle: string
  repeats: boolean
}

function facetsOf({ columns }: EpisodeData): Facets {
  // Skips labels with a single value.
  const labels = Object.entries(columns.labels)
    .filter(([, { values }]) => values.length > 1)
    .map(([name, column]) => ({ name, values: () => valueCounts(column) }))
    .sort((a, b) => Number(b.name === 'type') - Number(a.name === 'type'))
  return {
    statuses: () => valueCounts({ values: columns.statuses, codes: columns.status }).filter(({ count }) => count > 0),
    labels,
    clusters: () => valueCounts(columns.cluster),
    manyClusters: columns.cluster.values.length > 1,
    clusterTitle: Object.hasOwn(columns.labels, 'scene') ? 'Cluster' : 'Scene',
    repeats: columns.epoch.some((epoch) => epoch > 1),
  }
}

function columnsOf(data: EpisodeData, facets: Facets, metrics: readonly string[]): TableColumn[] {
  const { columns } = data
  const isDescribed = columns.described.length > 0
  const scores = metrics.map((metric, i): TableColumn => {
    const values = data.numbers(`score.${metric}`)
    const unit = data.unit(metric)
    const hasBar = unit === 'percent' && i === 0 && !isDescribed
    return {
      key: `score.${metric}`,
      title: data.title(metric),
      width: hasBar ? 9.5 : 7.5,
      align: 'right',
      ...(i === 0 && { narrowOrder: 1 }),
      cell: (row) => (hasBar ? <ShareCell value={values[row]!} /> : formatValue(values[row], unit)),
    }
  })
  const list: TableColumn[] = [
    {
      key: 'sample',
      title: 'Sample',
      width: isDescribed ? 9 : 13,
      grow: isDescribed ? 1 : 3,
      link: true,
      cell: (row) => columns.sample[row],
    },
    ...columns.described.map((field): TableColumn => ({
      key: field,
      ...DESCRIBED[field],
      sortable: false,
      cell: (row) => <DescribedCell episode={data.key(row)} field={field} />,
    })),
    // The answer, the truth and the score of the answer are read together.
    ...(isDescribed ? scores.slice(0, 1) : []),
  ]
  if (facets.repeats) {
    list.push({
      key: 'epoch',
      title: 'Epoch',
      width: 5,
      align: 'right',
      sortable: false,
      cell: (row) => columns.epoch[row],
    })
  }
  for (const [i, { name }] of facets.labels
    .slice(0, isDescribed ? LABEL_COLUMNS_BESIDE_DESCRIPTIONS : LABEL_COLUMNS)
    .entries()) {
    list.push({
      key: `label.${name}`,
      title: capitalize(name),
      width: i === 0 ? 12 : 9,
      grow: 1,
      cell: (row) => humanize(data.label(name, row)),
    })
  }
  if (!columns.cluster.values.every((cluster, i) => cluster === columns.sample[i])) {
    list.push({ key: 'cluster', title: facets.clusterTitle, width: 8, grow: 1, cell: (row) => data.cluster(row) })
  }
  list.push({ key: 'status', title: 'Status', width: 8.5, cell: (row) => <StatusBadge status={data.status(row)} /> })
  list.push(...(isDescribed ? scores.slice(1) : scores))
  list.push(
    { key: 'ms', title: 'Time', width: 7, align: 'right', cell: (row) => formatDuration(columns.ms[row]!) },
    { key: 'usd', title: 'Cost', width: 5.5, align: 'right', cell: (row) => formatSmallUsd(columns.usd[row]!) },
  )
  if (Object.keys(columns.errors).length > 0) {
    list.push({
      key: 'error',
      title: 'Error',
      width: 14,
      grow: 3,
      sortable: false,
      cell: (row) => <span title={columns.errors[row]}>{columns.errors[row]}</span>,
    })
  }
  return list.map((column) => (column.link ? { ...column, narrowOrder: 0 } : column))
}

/** A percentage with a bar. */
function ShareCell({ value }: { value: number }) {
  if (Number.isNaN(value)) return <span className="text-quiet">–</span>
  return (
    <span className="inline-flex items-center gap-2">
      <span className="h-1 w-12 overflow-hidden rounded-full bg-line" aria-hidden="true">
        <span className="block h-full bg-accent" style={{ width: `${Math.min(100, Math.max(0, value * 100))}%` }} />
      </span>
      <span className="w-10">{formatValue(value, 'percent')}</span>
    </span>
  )
}

function capitalize(name: string): string {
  const text = humanize(name)
  return text.charAt(0).toUpperCase() + text.slice(1)
}
