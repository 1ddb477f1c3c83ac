/** From videos to dimensions, with intervals, and to the totals where they may be formed. */
import { DEFAULT_RESAMPLES, DEFAULT_SEED, type Interval, intervalOf, replicates } from '../../../report/bootstrap.ts'
import type { Metric, Sample, ScoredRow } from '../../../report/sample.ts'
import { tableOf } from '../../../report/table.ts'
import { type Dimension, DIMENSIONS, SAMPLES } from '../dimensions.ts'
import { tierUnder } from '../outcome.ts'
import { type DimensionValues, strictTotals } from '../totals/totals.ts'
import type { MeasuredVideo } from './measure.ts'
import type { Measure, Output, Tier, VideoResult } from './types.ts'

export interface DimensionScore {
  dimension: Dimension
  value: number | null
  interval: Interval | null
  tier: Tier | null
  /** What measured it. */
  by: string | null
  /** Videos behind the value, and videos that should have been. */
  videos: number
  expected: number
  /** Why there is no value, or what to know about it. */
  note: string | null
}

export interface Score {
  dimensions: DimensionScore[]
  totals: { name: 'quality' | 'semantic' | 'total'; value: number | null; interval: Interval | null }[]
  /** All dimensions of the totals are exact. */
  official: boolean
}

export interface CountedVideo {
  video: MeasuredVideo
  result: VideoResult & { value: number }
}

/** How temporal flickering is filtered: by our flow, by the published network, or not at all. */
export type FilterKind = 'flow' | 'raft' | 'none'

/** Which videos count for a dimension. */
export function countedVideos(
  dimension: Dimension,
  measured: readonly MeasuredVideo[],
  filter: FilterKind,
): CountedVideo[] {
  const own = measured.filter(({ video }) => video.prompt.dimensions.includes(dimension))
  const candidates =
    dimension === 'temporal_flickering' && filter !== 'none'
      ? firstStill(own)
      : own.filter(({ video }) => video.index < SAMPLES || dimension === 'temporal_flickering')
  return candidates.flatMap((video) => {
    const result = video.results[dimension]
    return result && result.value !== null ? [{ video, result: { ...result, value: result.value } }] : []
  })
}

/** The first five of each prompt that stand still, in the order of their names, as published: 0, 1, 10, 11 … 2. */
function firstStill(videos: readonly MeasuredVideo[]): MeasuredVideo[] {
  const taken = new Map<string, number>()
  const byName = videos.toSorted((a, b) => (a.video.file < b.video.file ? -1 : a.video.file > b.video.file ? 1 : 0))
  return byName.filter(({ video, results }) => {
    const count = taken.get(video.prompt.prompt) ?? 0
    if (count >= SAMPLES || results.static_filter?.value !== 1) return false
    taken.set(video.prompt.prompt, count + 1)
    return true
  })
}

const METRIC: Omit<Metric, 'title'> = { better: 'higher', unit: 'number', failed: 'leave-out' }

export interface AggregateOptions {
  dimensions: readonly Dimension[]
  measures: ReadonlyMap<Output, Measure>
  /** Why an output has no measure. */
  reasons: ReadonlyMap<Dimension, string>
  filter: FilterKind
  /** Videos that should be there, by dimension. */
  expected: ReadonlyMap<Dimension, number>
}

export function aggregate(measured: readonly MeasuredVideo[], options: AggregateOptions): Score {
  const rows: ScoredRow[] = []
  const metrics: Record<string, Metric> = {}
  const clusters = new Map<Dimension, Set<string>>()
  const counts = new Map<Dimension, number>()
  for (const dimension of options.dimensions) {
    metrics[`${dimension}.sum`] = { ...METRIC, title: dimension }
    metrics[`${dimension}.weight`] = { ...METRIC, title: dimension }
    const counted = countedVideos(dimension, measured, options.filter)
    counts.set(dimension, counted.length)
    clusters.set(dimension, new Set(counted.map(({ video }) => video.video.prompt.prompt)))
    for (const { video, result } of counted) {
      rows.push({
        case: `${dimension}/${video.path}`,
        epoch: 1,
        cluster: video.video.prompt.prompt,
        labels: {},
        status: 'answered',
        scores: { [`${dimension}.sum`]: result.sum, [`${dimension}.weight`]: result.weight },
      })
    }
  }
  const official = DIMENSIONS.every((name) => tierUnder(name, options) === 'exact')
  const valuesOf = (sample: Sample): Map<string, number | null> => values(sample, options.dimensions, official)
  const table = tableOf(rows, metrics)
  const value = valuesOf(table)
  const drawn = replicates(table, valuesOf, { seed: DEFAULT_SEED, resamples: DEFAULT_RESAMPLES, purpose: 'vbench' })
  const interval = (name: string, count: number) => intervalOf(drawn.get(name), count, DEFAULT_RESAMPLES).interval
  return {
    official,
    dimensions: options.dimensions.map((dimension) => ({
      dimension,
      value: value.get(dimension) ?? null,
      interval: interval(dimension, clusters.get(dimension)!.size),
      tier: tierUnder(dimension, options),
      by: options.measures.get(dimension)?.title ?? null,
      videos: counts.get(dimension)!,
      expected: options.expected.get(dimension) ?? 0,
      note: noteOf(dimension, measured, options, counts.get(dimension)!),
    })),
    totals: (['quality', 'semantic', 'total'] as const).map((name) => ({
      name,
      value: value.get(name) ?? null,
      interval: interval(name, table.clusters.length),
    })),
  }
}

function values(sample: Sample, dimensions: readonly Dimension[], official: boolean): Map<string, number | null> {
  const found: Partial<Record<Dimension, number | null>> = {}
  for (const dimension of dimensions) {
    const sum = sample.mean(`${dimension}.sum`)
    const weight = sample.mean(`${dimension}.weight`)
    found[dimension] = sum === null || weight === null || weight === 0 ? null : sum / weight
  }
  const all = new Map<string, number | null>(Object.entries(found))
  const totals = official ? strictTotals(found satisfies DimensionValues) : null
  for (const name of ['quality', 'semantic', 'total'] as const) all.set(name, totals?.[name] ?? null)
  return all
}

function noteOf(
  dimension: Dimension,
  measured: readonly MeasuredVideo[],
  { measures, reasons, filter }: AggregateOptions,
  count: number,
): string | null {
  if (!measures.has(dimension)) return reasons.get(dimension) ?? 'nothing here can measure it'
  const own = measured.filter(({ video }) => video.prompt.dimensions.includes(dimension))
  if (own.length === 0) return 'no video of it is there'
  if (count === 0) {
    const reason = own.map(({ results }) => results[dimension]?.reason).find((each) => each !== undefined)
    return reason ?? (dimension === 'temporal_flickering' ? 'no video stands still' : 'no video could be measured')
  }
  if (dimension === 'temporal_flickering' && filter !== 'none') {
    const still = own.filter(({ results }) => results.static_filter?.value === 1).length
    return `${still} of ${own.length} videos stand still; at most ${SAMPLES} a prompt count`
  }
  return null
}
