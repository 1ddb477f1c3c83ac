/** The report of a run: plain JSON, derived only from header and journal, and byte-for-byte reproducible. */
import { plural } from '../base/plural.ts'
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { addUsage, NO_USAGE } from '../models/types.ts'
import { counts, STATUSES, type EpisodeLine, type RunHeader, type Status, type Usage } from '../store/records.ts'
import {
  DEFAULT_RESAMPLES,
  DEFAULT_SEED,
  FEW_CLUSTERS,
  intervalOf,
  type IntervalOrReason,
  LEVEL,
  replicates,
} from './bootstrap.ts'
import { type Audit, type BlindScores, tableRules, withFloors } from './audit.ts'
import { failed, type LabelGroups } from './denominator.ts'
import { formatCount } from './format.ts'
import { passesOf, successMetric } from './passes.ts'
import { replyProblems } from './reply-problems.ts'
import type { Metric, Means } from './means.ts'
import type { Summary } from './summary.ts'
import { Table } from './table.ts'

const REPORT_FORMAT = 1

const numberOrNull = z.number().nullable()
const interval = z
  .tuple([z.number(), z.number()])
  .readonly()
  .nullable()
  .describe('95% confidence interval; null if there is none, with the reason in `noInterval`')

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
  cell: z.object({ row: z.string(), column: z.string() }).optional(),
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
  /** Episodes planned, finished, and counted in the scores. */
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
    estimatedCalls: z.number().optional(),
  }),
  intervals: z.object({ level: z.number(), method: z.string(), resamples: z.number(), seed: z.number() }),
  headline: z.string(),
  rows: z.array(reportRowSchema),
  /** pass@k and pass^k; null if every sample was played once. */
  passes: z
    .object({
      /** The metric for success: 1 is a success. */
      metric: z.string(),
      rows: z.array(
        z.object({
          k: z.number(),
          /** Samples with at least k counted epochs. */
          samples: z.number(),
          /** Probability that at least one of k epochs succeeds. */
          any: numberOrNull,
          anyInterval: interval,
          /** Probability that all k epochs succeed. */
          all: numberOrNull,
          allInterval: interval,
        }),
      ),
    })
    .nullable(),
  /** Caveats to read before quoting a number. */
  notes: z.array(z.string()),
  /** Problems that may explain the headline score. */
  warnings: z.array(z.string()).default([]),
})

export type Report = z.infer<typeof reportSchema>
export type ReportRow = z.infer<typeof reportRowSchema>

/** The part of a suite that a report needs. */
export interface ReportedSuite {
  title: string
  metrics: Readonly<Record<string, Metric>>
  summary(
    means: Means,
    context: { profile: string; options: Readonly<Record<string, unknown>>; blind?: BlindScores },
  ): Summary
  /** Audits that the suite ships. */
  audits?(): readonly Audit[]
  /** Suites with the same samples, whose runs can be compared with this one's. */
  comparableWith?: readonly string[]
}

export interface ReportInput {
  header: RunHeader
  rows: readonly EpisodeLine[]
  suite: ReportedSuite
  /** Seed of the bootstrap. Default: 1, so reports are comparable. */
  seed?: number
  /** Default: 1,000. */
  resamples?: number
  /** Label groups shared with other runs on the same samples. */
  groups?: LabelGroups
}

export function buildReport(input: ReportInput): Report {
  const { header, suite, seed = DEFAULT_SEED, resamples = DEFAULT_RESAMPLES } = input
  const rows = inSampleOrder(input.rows)
  const table = new Table(rows, suite.metrics, input.groups && { groups: input.groups })
  const { context, found } = tableRules(header, suite.audits?.())
  const summary = suite.summary(table, context)
  const valuesOf = (means: Means) => new Map(suite.summary(means, context).rows.map(({ key, value }) => [key, value]))
  const clusters = table.clusters.length
  const resampling = { seed, resamples }
  const drawn =
    clusters < 2 ? new Map<string, number[]>() : replicates(table, valuesOf, { ...resampling, purpose: 'summary' })
  const byStatus = statusCounts(rows)
  const problems = replyProblems(rows)
  const success = header.epochs > 1 ? successMetric(summary, suite.metrics) : null
  const usage = usageOf(header, rows)
  const passes = success === null ? null : passesOf(rows, table, success, header.epochs, resampling)
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
    usage,
    intervals: { level: LEVEL, method: 'percentile bootstrap over clusters', resamples, seed },
    headline: summary.headline,
    rows: [
      ...summary.rows.map((row) => ({
        ...withFloors(row, found.audit),
        ...(row.value === null
          ? { interval: null }
          : withInterval(intervalOf(drawn.get(row.key), clusters, resamples))),
      })),
      ...problems.rows,
    ],
    passes,
    warnings: [...splitWarnings(header), ...problems.warnings],
    notes: [
      ...notesOf(header, rows.length, byStatus, clusters, suite),
      ...usageNotes(usage),
      ...(found.audit === null && found.reason !== null ? [found.reason] : []),
    ],
  }
}

function withInterval({ interval: found, reason }: IntervalOrReason): Pick<ReportRow, 'interval' | 'noInterval'> {
  return { interval: found, ...(reason === null ? {} : { noInterval: reason }) }
}

/** Sorts by sample index and epoch, so sums do not depend on the order in which episodes finished. */
export function inSampleOrder(rows: readonly EpisodeLine[]): EpisodeLine[] {
  return rows.toSorted((a, b) => a.index - b.index || a.epoch - b.epoch)
}

function statusCounts(rows: readonly EpisodeLine[]): Record<Status, number> {
  const byStatus = { answered: 0, no_answer: 0, parse_failed: 0, model_error: 0, missing_asset: 0, cancelled: 0 }
  for (const { status } of rows) byStatus[status] += 1
  return byStatus
}

/** pass@k and pass^k as report rows. */
export function passRows({ passes }: Report): ReportRow[] {
  return (passes?.rows ?? []).flatMap(({ k, samples: n, any, anyInterval, all, allInterval }): ReportRow[] => {
    const row = { n, unit: 'percent', better: 'higher', section: 'Epochs' } as const
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
    notes.push(`Incomplete run: ${formatCount(finished)} of ${plural(header.planned, 'episode')} finished.`)
  }
  const excluded = byStatus.missing_asset + byStatus.cancelled
  if (excluded > 0) {
    const reasons = `${formatCount(byStatus.missing_asset)} with missing files, ${formatCount(byStatus.cancelled)} canceled`
    notes.push(`${plural(excluded, 'episode')} excluded from all scores: ${reasons}.`)
  }
  const failures = STATUSES.filter((status) => failed(status) && byStatus[status] > 0)
  if (failures.length > 0) {
    const isZero = Object.values(metrics).some((metric) => metric.failed === 'zero')
    const byKind = failures.map((status) => `${formatCount(byStatus[status])} ${status}`).join(', ')
    notes.push(`Failed episodes ${isZero ? 'score 0' : 'are not scored'}: ${byKind}.`)
  }
  if (clusters < 2) notes.push('No confidence intervals: they need at least 2 clusters.')
  else if (clusters < FEW_CLUSTERS) {
    notes.push(`Only ${clusters} clusters: confidence intervals are likely too narrow.`)
  }
  return notes
}

/** A model may have been trained on these very samples. */
function splitWarnings({ fingerprint }: RunHeader): string[] {
  return fingerprint.parts['split'] === 'training' ? ['Training seeds: these scores are not a test.'] : []
}

function usageNotes({ estimatedCalls = 0, calls }: Usage): string[] {
  if (estimatedCalls === 0) return []
  return [
    `Tokens and cost of ${estimatedCalls} of ${plural(calls, 'reply', 'replies')} are estimated: the server did not count them.`,
  ]
}

function usageOf(header: RunHeader, rows: readonly EpisodeLine[]): Usage {
  const usage = rows.map((row) => row.usage).reduce(addUsage, NO_USAGE)
  return { ...usage, usd: knownUsd(header, usage.usd) }
}

/** A model without a price never costs $0, not even when nothing came back yet, or only errors did. */
export function knownUsd({ models, prices }: Pick<RunHeader, 'models' | 'prices'>, usd: number | null): number | null {
  const isUnpriced = Object.values(models).some((model) => prices[model] === null)
  return usd === 0 && isUnpriced ? null : usd
}

/** Whether a report is about only some of the samples of its source: limited, drawn, chosen, shared, or not finished. */
export function isPart({ fingerprint, coverage }: Pick<Report, 'fingerprint' | 'coverage'>): boolean {
  return (fingerprint.parts['samples'] ?? 'all') !== 'all' || coverage < 1
}

/** Parses a stored report. Throws a `UserError` if it is invalid or has another format version. */
export function readReport(value: unknown, where = 'report.json'): Report {
  const result = reportSchema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const path = issue?.path.join('.') ?? ''
  throw new UserError(`${where} is not a valid report: ${path === '' ? '' : `${path}: `}${issue?.message}.`, {
    hint: 'Create it again with `sightline report <run>`.',
  })
}
