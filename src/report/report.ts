/** The report of a run: plain JSON, derived from header and journal alone, the same bytes every time. */
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { addUsage, NO_USAGE } from '../models/types.ts'
import { counts, STATUSES, type EpisodeLine, type RunHeader, type Status } from '../store/records.ts'
import {
  DEFAULT_RESAMPLES,
  DEFAULT_SEED,
  FEW_CLUSTERS,
  intervalOf,
  type IntervalOrReason,
  LEVEL,
  replicates,
} from './bootstrap.ts'
import { failed } from './denominator.ts'
import { passesOf, successMetric } from './passes.ts'
import type { Metric, Means } from './means.ts'
import type { Summary } from './summary.ts'
import { Table } from './table.ts'

const REPORT_FORMAT = 1

const numberOrNull = z.number().nullable()
const interval = z
  .tuple([z.number(), z.number()])
  .readonly()
  .nullable()
  .describe('95 % interval; null when there is none, and then `noInterval` says why')

const reportRowSchema = z.object({
  key: z.string(),
  title: z.string(),
  value: numberOrNull,
  n: z.number(),
  unit: z.enum(['percent', 'number']),
  better: z.enum(['higher', 'lower']),
  chance: numberOrNull.optional(),
  constant: numberOrNull.optional(),
  blind: numberOrNull.optional(),
  ceiling: numberOrNull.optional(),
  section: z.string().optional(),
  note: z.string().optional(),
  interval,
  noInterval: z.string().optional(),
})

const reportSchema = z.object({
  format: z.literal(REPORT_FORMAT),
  run: z.string(),
  suite: z.string(),
  suiteVersion: z.number(),
  title: z.string(),
  profile: z.string(),
  models: z.record(z.string(), z.string()),
  source: z.string(),
  epochs: z.number(),
  seed: z.number(),
  created: z.string(),
  fingerprint: z.object({ hash: z.string(), parts: z.record(z.string(), z.string()) }),
  /** Episodes of the whole run, those that ended, and those that are behind the numbers. */
  planned: z.number(),
  finished: z.number(),
  counted: z.number(),
  /** `counted / planned`. */
  coverage: z.number(),
  byStatus: z.record(z.enum(STATUSES), z.number()),
  samples: z.number(),
  clusters: z.number(),
  usage: z.object({
    calls: z.number(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    reasoningTokens: z.number(),
    cachedInputTokens: z.number(),
    usd: numberOrNull,
  }),
  intervals: z.object({ level: z.number(), method: z.string(), resamples: z.number(), seed: z.number() }),
  headline: z.string(),
  rows: z.array(reportRowSchema),
  /** Repeats: null when every case was played once. */
  passes: z
    .object({
      /** The metric whose 1 is a success. */
      metric: z.string(),
      rows: z.array(
        z.object({
          k: z.number(),
          /** Samples with at least k countable repeats. */
          samples: z.number(),
          /** Chance that at least one of k repeats succeeds. */
          any: numberOrNull,
          anyInterval: interval,
          /** Chance that all of k repeats succeed. */
          all: numberOrNull,
          allInterval: interval,
        }),
      ),
    })
    .nullable(),
  /** What a reader must know before quoting a number. */
  notes: z.array(z.string()),
})

export type Report = z.infer<typeof reportSchema>
export type ReportRow = z.infer<typeof reportRowSchema>

/** What a report needs of a suite. */
export interface ReportedSuite {
  title: string
  metrics: Readonly<Record<string, Metric>>
  summary(means: Means, context: { profile: string; options: Readonly<Record<string, unknown>> }): Summary
  /** Suites whose runs may be paired with this one's: they ask the same samples. */
  comparableWith?: readonly string[]
}

export interface ReportInput {
  header: RunHeader
  rows: readonly EpisodeLine[]
  suite: ReportedSuite
  /** Of the resampling. Default 1: reports are comparable when all use the same. */
  seed?: number
  /** Default 1,000. */
  resamples?: number
}

export function buildReport(input: ReportInput): Report {
  const { header, suite, seed = DEFAULT_SEED, resamples = DEFAULT_RESAMPLES } = input
  const rows = inOrder(input.rows)
  const table = new Table(rows, suite.metrics)
  const context = { profile: header.profile, options: header.options }
  const summary = suite.summary(table, context)
  const valuesOf = (means: Means) => new Map(suite.summary(means, context).rows.map(({ key, value }) => [key, value]))
  const clusters = table.clusters.length
  const how = { seed, resamples }
  const drawn = clusters < 2 ? new Map<string, number[]>() : replicates(table, valuesOf, { ...how, purpose: 'summary' })
  const byStatus = statusCounts(rows)
  const success = header.epochs > 1 ? successMetric(summary, suite.metrics) : null
  const passes = success === null ? null : passesOf(rows, table, success, header.epochs, how)
  return {
    format: REPORT_FORMAT,
    run: header.id,
    suite: header.suite,
    suiteVersion: header.suiteVersion,
    title: suite.title,
    profile: header.profile,
    models: { ...header.models },
    source: header.source,
    epochs: header.epochs,
    seed: header.seed,
    created: header.created,
    fingerprint: { hash: header.fingerprint.hash, parts: { ...header.fingerprint.parts } },
    planned: header.planned,
    finished: rows.length,
    counted: table.size,
    coverage: header.planned === 0 ? 0 : table.size / header.planned,
    byStatus,
    samples: new Set(rows.filter(({ status }) => counts(status)).map((row) => row.sample)).size,
    clusters,
    usage: rows.map(({ usage }) => usage).reduce(addUsage, NO_USAGE),
    intervals: { level: LEVEL, method: 'percentile of a bootstrap over clusters', resamples, seed },
    headline: summary.headline,
    rows: summary.rows.map((row) => ({
      ...row,
      ...(row.value === null ? { interval: null } : withInterval(intervalOf(drawn.get(row.key), clusters, resamples))),
    })),
    passes,
    notes: notesOf(header, rows.length, byStatus, clusters, suite),
  }
}

function withInterval({ interval: found, reason }: IntervalOrReason): Pick<ReportRow, 'interval' | 'noInterval'> {
  return { interval: found, ...(reason === null ? {} : { noInterval: reason }) }
}

/** By place in the source and repeat: whoever finished first, sums are added in the same order. */
export function inOrder(rows: readonly EpisodeLine[]): EpisodeLine[] {
  return rows.toSorted((a, b) => a.index - b.index || a.epoch - b.epoch)
}

function statusCounts(rows: readonly EpisodeLine[]): Record<Status, number> {
  const byStatus = { answered: 0, no_answer: 0, parse_failed: 0, model_error: 0, missing_asset: 0, cancelled: 0 }
  for (const { status } of rows) byStatus[status] += 1
  return byStatus
}

/** pass@k and pass^k as rows like all others. */
export function passRows({ passes }: Report): ReportRow[] {
  return (passes?.rows ?? []).flatMap(({ k, samples: n, any, anyInterval, all, allInterval }): ReportRow[] => {
    const row = { n, unit: 'percent', better: 'higher', section: 'Repeats' } as const
    return [
      { ...row, key: `pass@${k}`, title: `pass@${k}`, value: any, interval: anyInterval },
      { ...row, key: `pass^${k}`, title: `pass^${k}`, value: all, interval: allInterval },
    ]
  })
}

function notesOf(
  header: RunHeader,
  finished: number,
  byStatus: Record<Status, number>,
  clusters: number,
  { metrics }: ReportedSuite,
): string[] {
  const notes: string[] = []
  if (finished < header.planned) {
    notes.push(`The run is not finished: ${finished} of ${header.planned} episodes have ended.`)
  }
  const left = byStatus.missing_asset + byStatus.cancelled
  if (left > 0) {
    notes.push(
      `${left} episodes are left out of every number: ${byStatus.missing_asset} with missing files, ${byStatus.cancelled} cancelled.`,
    )
  }
  const failures = STATUSES.filter((status) => failed(status) && byStatus[status] > 0)
  if (failures.length > 0) {
    const isZero = Object.values(metrics).some((metric) => metric.failed === 'zero')
    const how = failures.map((status) => `${byStatus[status]} ${status}`).join(', ')
    notes.push(`Failed episodes ${isZero ? 'score 0' : 'have no score'}: ${how}.`)
  }
  if (clusters < 2) notes.push('No intervals: they need samples from at least 2 clusters (scenes).')
  else if (clusters < FEW_CLUSTERS) {
    notes.push(`Only ${clusters} clusters (scenes): intervals from so few are likely too narrow.`)
  }
  return notes
}

/** A report that was written before. Throws `UserError` when it is not one, or of a format unknown to this version. */
export function readReport(value: unknown, where = 'report.json'): Report {
  const result = reportSchema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const path = issue?.path.join('.') ?? ''
  throw new UserError(`${where} is not a report of this version: ${path === '' ? '' : `${path}: `}${issue?.message}.`, {
    hint: 'Reports are derived: make it again with "sightline report <run>".',
  })
}
