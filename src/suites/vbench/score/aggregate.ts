/** From videos to dimensions, with intervals, and to the totals where they may be formed: the same sums as a report. */
import { DEFAULT_RESAMPLES, DEFAULT_SEED, type Interval, intervalOf, replicates } from '../../../report/bootstrap.ts'
import type { Means, ScoredRow } from '../../../report/means.ts'
import { tableOf } from '../../../report/table.ts'
import { caseId, labelsOf } from '../cases.ts'
import { type Dimension, SAMPLES } from '../dimensions.ts'
import { type Instruments, outputsOf } from '../instruments.ts'
import { outcomeOf, tierUnder } from '../outcome.ts'
import { scoreName, score as scoresOf, together } from '../scores.ts'
import { metrics, summary } from '../summary.ts'
import type { MeasuredVideo } from './measure.ts'
import type { Tier, VideoResult } from './types.ts'

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

export interface AggregateOptions {
  /** Of the plan. */
  suite: string
  dimensions: readonly Dimension[]
  instruments: Instruments
  /** Videos that should be there, by dimension. */
  expected: ReadonlyMap<Dimension, number>
}

interface Row extends ScoredRow {
  video: MeasuredVideo
}

/** The episodes that a run would have of these videos. */
export function rowsOf(
  measured: readonly MeasuredVideo[],
  { suite, dimensions, instruments }: Omit<AggregateOptions, 'expected'>,
): Row[] {
  const rows = measured.map((video): Row => {
    const { prompt, index } = video.video
    const sample = { index, dimensions: prompt.dimensions }
    const wanted = outputsOf(sample, dimensions, instruments.filter)
    const outcome = outcomeOf(sample, video.results, instruments, { media: null, seed: null, wanted })
    return {
      video,
      case: caseId(prompt.prompt, index),
      epoch: 1,
      cluster: prompt.prompt,
      labels: labelsOf(prompt, suite),
      status: video.problem === undefined ? 'answered' : 'missing_asset',
      scores: scoresOf(null, outcome, { profile: 'published' }),
    }
  })
  return together(rows)
}

export function aggregate(measured: readonly MeasuredVideo[], options: AggregateOptions): Score {
  const rows = rowsOf(measured, options)
  const table = tableOf(rows, metrics)
  const valuesOf = (means: Means) => new Map(summary(means).rows.map(({ key, value }) => [key, value]))
  const values = valuesOf(table)
  const notes = new Map(summary(table).rows.map(({ key, note }) => [key, note]))
  const drawn = replicates(table, valuesOf, { seed: DEFAULT_SEED, resamples: DEFAULT_RESAMPLES, purpose: 'summary' })
  const named = (name: string) => ({
    value: values.get(name) ?? null,
    interval:
      typeof values.get(name) === 'number'
        ? intervalOf(drawn.get(name), table.clusters.length, DEFAULT_RESAMPLES).interval
        : null,
  })
  const { measures, reasons } = options.instruments
  return {
    official: values.get('total') !== null && values.get('total') !== undefined,
    dimensions: options.dimensions.map((dimension) => {
      const tier = tierUnder(dimension, options.instruments)
      const name = tier === null ? dimension : scoreName(dimension, tier)
      const counted = rows.filter(({ scores }) => scores[name] !== undefined)
      return {
        dimension,
        ...named(name),
        tier,
        by: measures.get(dimension)?.title ?? null,
        videos: counted.length,
        expected: options.expected.get(dimension) ?? 0,
        note:
          tier === null
            ? (reasons.get(dimension) ?? 'nothing here can measure it')
            : counted.length > 0
              ? (notes.get(name) ?? null)
              : whyNone(dimension, measured),
      }
    }),
    totals: (['quality', 'semantic', 'total'] as const).map((name) => ({ name, ...named(name) })),
  }
}

function whyNone(dimension: Dimension, measured: readonly MeasuredVideo[]): string {
  const own = measured.filter(({ video }) => video.prompt.dimensions.includes(dimension))
  if (own.length === 0) return 'no video of it is there'
  const reasons = own.map(({ results }) => results[dimension]?.reason)
  // One that was measured and does not count was left out by the filter.
  if (dimension === 'temporal_flickering' && reasons.includes(undefined)) return 'no video stands still'
  return reasons.find((each) => each !== undefined) ?? 'no video could be measured'
}

/** Which videos count for a dimension, as the published tool lists them. */
export function countedVideos(dimension: Dimension, rows: readonly Row[], tier: Tier): CountedVideo[] {
  return rows.flatMap(({ video, scores }) => {
    const result = video.results[dimension]
    const counts = scores[scoreName(dimension, tier)] !== undefined
    return counts && result && result.value !== null ? [{ video, result: { ...result, value: result.value } }] : []
  })
}

/** Videos a prompt that count at most; more are there to be filtered. */
export function countedAtMost(samples: number): number {
  return Math.min(SAMPLES, samples)
}
