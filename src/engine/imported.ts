/** Imports results of other tools, with their predictions and scores, as runs that can be reported and compared. */
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { NO_USAGE } from '../models/types.ts'
import type { ExportedRun, ImportedRun } from '../report/import/index.ts'
import type { Metric } from '../report/means.ts'
import { newRunId } from '../store/run-id.ts'
import type { EpisodeLine, RunHeader } from '../store/records.ts'
import { shortHash } from './fingerprint.ts'
import type { RunEnvironment } from './run.ts'
import type { AnySuite } from './suite.ts'

/** `imported/lmms-eval/vsibench` */
export const IMPORTED_PREFIX = 'imported/'

const importedOutcome = z.object({
  prediction: z.string().optional(),
  target: z.string().optional(),
  question: z.string().optional(),
})

/** Writes an imported run to the store and returns its id. */
export async function writeImported(imported: ImportedRun, environment: RunEnvironment): Promise<string> {
  const { tool, task, model, rows } = imported
  const suite = `${IMPORTED_PREFIX}${tool}/${task ?? 'unknown'}`
  const created = environment.now()
  const player = model ?? 'unknown/unknown'
  const epochs = rows.reduce((most, { epoch }) => Math.max(most, epoch), 1)
  const parts = {
    suite,
    source: shortHash(rows.map((row) => [row.sample, row.target])),
    epochs: String(epochs),
    'model.player': player,
  }
  const header: RunHeader = {
    format: 1,
    id: newRunId(suite, player, created),
    suite,
    suiteVersion: 1,
    models: { player },
    modelOptions: {},
    profile: tool,
    options: imported.exported ? { exported: imported.exported } : {},
    source: 'imported',
    sourceFingerprint: parts.source,
    limit: null,
    sampleIds: null,
    epochs,
    seed: 0,
    budget: null,
    timeLimitSeconds: null,
    fingerprint: { parts, hash: shortHash(parts) },
    versions: environment.versions,
    git: environment.git,
    // Another tool's log does not say what its replies cost.
    prices: { [player]: null },
    created: created.toISOString(),
    planned: rows.length,
  }
  const writer = await environment.store.createRun(header)
  try {
    const order = new Map<string, number>()
    const written: Promise<unknown>[] = []
    for (const row of rows) {
      if (!order.has(row.sample)) order.set(row.sample, order.size)
      const { prediction, target, question } = row
      const events = [
        { type: 'sample', sample: { id: row.sample, cluster: row.sample, labels: row.labels } },
        { type: 'outcome', status: row.status, outcome: { prediction, target, question } },
      ]
      const line: Omit<EpisodeLine, 'events'> = {
        index: order.get(row.sample)!,
        sample: row.sample,
        epoch: row.epoch,
        cluster: row.cluster ?? row.sample,
        labels: row.labels,
        status: row.status,
        scores: row.scores,
        usage: NO_USAGE,
        ms: 0,
      }
      written.push(
        writer.append(
          line,
          events.map((event) => JSON.stringify(event)),
        ),
      )
    }
    await Promise.all(written)
    await writer.setStatus({ state: 'done', reason: null })
  } finally {
    await writer.close()
  }
  return header.id
}

const exportedOptions = z.object({
  exported: z.object({
    suite: z.string(),
    suiteVersion: z.number(),
    profile: z.string(),
    options: z.record(z.string(), z.unknown()),
  }),
})

/** What an imported run was before Sightline exported it; null if another tool wrote the log. */
export function exportedRun({ options }: Pick<RunHeader, 'options'>): ExportedRun | null {
  const own = exportedOptions.safeParse(options)
  return own.success ? own.data.exported : null
}

/**
 * The imported scores in the table of the suite that they were exported from, so that headline and parts stay what they
 * were. Null if this is not the suite, or not the version of it, that wrote them.
 */
export function reimportedSuite(imported: AnySuite, original: AnySuite, exported: ExportedRun): AnySuite | null {
  const { profile, suiteVersion } = exported
  const { data: options, success } = original.options.safeParse(exported.options)
  if (!success || suiteVersion !== original.version || !original.profiles.includes(profile)) return null
  return { ...imported, metrics: original.metrics, summary: (means) => original.summary(means, { profile, options }) }
}

/** A suite that reports the other tool's own scores, overall and by label, with our confidence intervals. */
export function importedSuite(name: string, lines: readonly EpisodeLine[]): AnySuite {
  // In the order of the log: tools write their main score first.
  const names = [...new Set(lines.flatMap(({ scores }) => Object.keys(scores)))]
  const labels = [...new Set(lines.flatMap((line) => Object.keys(line.labels)))].sort()
  const isShare = (metric: string): boolean =>
    lines.every(({ scores }) => (scores[metric] ?? 0) >= 0 && (scores[metric] ?? 0) <= 1)
  const metrics: Record<string, Metric> = Object.fromEntries(
    names.map((metric) => [
      metric,
      { title: metric, better: 'higher', unit: isShare(metric) ? 'percent' : 'number', failed: 'zero' },
    ]),
  )
  const unavailable = (): never => {
    throw new UserError(
      `${name} was imported from another tool. It can be reported and compared, but not played or rescored.`,
    )
  }
  return {
    name,
    title: `Imported: ${name.slice(IMPORTED_PREFIX.length)}`,
    version: 1,
    options: z.looseObject({}),
    output: 'text',
    roles: {},
    profiles: [name.slice(IMPORTED_PREFIX.length).split('/')[0]!],
    metrics,
    sources: {},
    prompts: () => ({}),
    events: {},
    schemas: {},
    viewer: {},
    estimate: () => ({ calls: 0, inputTokens: 0, outputTokens: 0 }),
    describe: (_, outcome) => {
      const { question, prediction, target } = importedOutcome.parse(outcome)
      return {
        ...(question !== undefined && { question }),
        ...(prediction !== undefined && { answer: prediction }),
        ...(target !== undefined && { truth: target }),
      }
    },
    play: unavailable,
    score: unavailable,
    baselines: {},
    summary: (means) => ({
      headline: names[0] ?? 'none',
      rows: names.flatMap((metric) => {
        const { unit, title } = metrics[metric]!
        const row = { unit, better: 'higher' as const }
        return [
          { ...row, key: metric, title, value: means.mean(metric), n: means.count(metric) },
          ...labels.flatMap((label) =>
            means.values(label).map((value) => ({
              ...row,
              key: `${metric}/${label}=${value}`,
              title: value,
              section: `${title} by ${label}`,
              value: means.mean(metric, { [label]: value }),
              n: means.count(metric, { [label]: value }),
            })),
          ),
        ]
      }),
    }),
  }
}
