/** Filter and order of the episode table in the URL: `?type=room_size&sort=-ms`. */
import { type Query, useQuery } from '../../navigation/query.ts'
import type { EpisodeData, EpisodeFilter, EpisodeSort } from './episode-data.ts'

const IN_ORDER: EpisodeSort = { key: 'index', descending: false }
/** Parameter names with another meaning; labels with these names are written `label.NAME`. */
const RESERVED: ReadonlySet<string> = new Set([
  'view',
  'status',
  'cluster',
  'metric',
  'min',
  'max',
  'q',
  'in',
  'sort',
  'cols',
  'at',
])

export function labelParameter(label: string): string {
  return RESERVED.has(label) ? `label.${label}` : label
}

export interface TableQuery {
  query: Query
  filter: Omit<EpisodeFilter, 'foundRows'>
  /** Text for the server's transcript search; empty for none. */
  transcriptText: string
  sort: EpisodeSort
  /** Metrics with a column. */
  metrics: readonly string[]
  isFiltered: boolean
  clear: () => void
  sortBy: (key: string) => void
}

export function useTableQuery({ columns }: EpisodeData): TableQuery {
  const query = useQuery()
  const labels = Object.keys(columns.labels)
  const text = query.get('q') ?? ''
  const inTranscript = query.get('in') === 'said'
  const metric = known(query.get('metric'), columns.scores) ?? columns.mainScore
  const filter = {
    statuses: query.all('status'),
    clusters: query.all('cluster'),
    labels: Object.fromEntries(labels.map((label) => [label, query.all(labelParameter(label))])),
    metric,
    min: numberOf(query.get('min')),
    max: numberOf(query.get('max')),
    text: inTranscript ? '' : text,
  }
  const sort = readSort(query.get('sort'))
  const extra = query.all('cols').filter((name) => Object.hasOwn(columns.scores, name))
  return {
    query,
    filter,
    transcriptText: inTranscript ? text.trim() : '',
    sort,
    metrics: [...new Set([...(columns.mainScore === null ? [] : [columns.mainScore]), ...extra])],
    isFiltered:
      text !== '' ||
      filter.statuses.length > 0 ||
      filter.clusters.length > 0 ||
      filter.min !== null ||
      filter.max !== null ||
      Object.values(filter.labels).some((chosen) => chosen.length > 0),
    clear: () =>
      query.set({
        q: null,
        in: null,
        status: null,
        cluster: null,
        min: null,
        max: null,
        metric: null,
        ...Object.fromEntries(labels.map((label) => [labelParameter(label), null])),
      }),
    // Cycles through both directions and back to run order.
    sortBy: (key) => {
      const next =
        sort.key !== key
          ? initialSort(key)
          : sort.descending === initialSort(key).descending
            ? reversed(sort)
            : IN_ORDER
      query.set({ sort: next.key === 'index' ? null : `${next.descending ? '-' : ''}${next.key}` })
    },
  }
}

/** Cost and time start descending, everything else ascending. */
function initialSort(key: string): EpisodeSort {
  return { key, descending: key === 'usd' || key === 'ms' }
}

function reversed({ key, descending }: EpisodeSort): EpisodeSort {
  return { key, descending: !descending }
}

function readSort(text: string | null): EpisodeSort {
  if (text === null || text === '') return IN_ORDER
  return text.startsWith('-') ? { key: text.slice(1), descending: true } : { key: text, descending: false }
}

function numberOf(text: string | null): number | null {
  const value = text === null || text === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : null
}

function known(name: string | null, among: Readonly<Record<string, unknown>>): string | null {
  return name !== null && Object.hasOwn(among, name) ? name : null
}
