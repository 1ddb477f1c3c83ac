/** Audits a suite: what its samples give away in words, as rows of its own table. */
import { UserError } from '../../base/errors.ts'
import { mean } from '../../base/numbers.ts'
import { Random } from '../../base/random.ts'
import type { Audit, AuditRow } from '../../report/audit.ts'
import {
  collect,
  DEFAULT_RESAMPLES,
  DEFAULT_SEED,
  drawWeights,
  intervalOf,
  type Interval,
} from '../../report/bootstrap.ts'
import type { Means, ScoredRow } from '../../report/means.ts'
import type { SummaryRow } from '../../report/summary.ts'
import { Table, WeightedMeans } from '../../report/table.ts'
import { DataFiles } from '../data-files.ts'
import { suiteOptions } from '../options.ts'
import { profileOf } from '../plan.ts'
import { defaultSource, openSource, parseLimit, selectedSamples } from '../source.ts'
import { silentEpisode } from '../silent-episode.ts'
import type { AnySuite, SampleBase } from '../suite.ts'
import { constantText } from './constants.ts'
import { type BlindPoints, type ClusteredTask, groupTasks, learnBlind } from './learn.ts'
import { problemOf } from './problem.ts'
import { easySamples } from './prune.ts'

export interface AuditRequest {
  suite: AnySuite
  options?: Readonly<Record<string, unknown>> | undefined
  source?: string | undefined
  profile?: string | undefined
  limit?: string | undefined
  sampleIds?: readonly string[] | undefined
  /** Default: 0. */
  seed?: number | undefined
  /** Called with what is being done. */
  onProgress?: ((text: string) => void) | undefined
}

/** An audit, and the samples to leave out so that words give nothing away; see `prune.ts`. */
export interface Audited extends Audit {
  easy: ReadonlySet<string>
  /** All samples that were looked at, in order. */
  ids: readonly string[]
}

/** A task, and where its points are recorded. */
interface Recorded extends ClusteredTask {
  metric: string
  /** Position of the sample. */
  sample: number
}

/** Measures chance, the best constant and the learned answers of a suite. Ceilings are null: they need a player. */
export async function auditSuite(request: AuditRequest): Promise<Audited> {
  const { suite, seed = 0, limit, onProgress } = request
  const profile = profileOf(suite, request.profile)
  const options = suiteOptions(suite, request.options ?? {})
  const source = request.source ?? defaultSource(suite)
  if (!suite.audit) {
    throw new UserError(`${suite.name} cannot be audited: it does not say what its samples ask.`, {
      hint: 'A suite does that with `audit`. See docs/validity.md.',
    })
  }
  const opened = await openSource(suite, source, options, { seed, profile })
  const samples: SampleBase[] = []
  const tasks: Recorded[] = []
  for await (const { sample } of selectedSamples(opened, {
    ...parseLimit(limit ?? null),
    ids: request.sampleIds === undefined ? null : new Set(request.sampleIds),
  })) {
    const episode = silentEpisode(suite, sample, { seed, profile, files: new DataFiles(opened.roots) })
    for (const task of await suite.audit(sample, episode, options)) {
      tasks.push({ task, metric: metricOf(suite, task), cluster: sample.cluster, sample: samples.length })
    }
    samples.push(sample)
    onProgress?.(`Reading samples: ${samples.length}`)
  }
  if (tasks.length === 0) {
    throw new UserError(`Nothing to audit: no sample of ${source} asks for a number or one of several choices.`)
  }
  const points = new Map<Recorded, BlindPoints>()
  const groups = groupTasks(tasks)
  for (const [i, group] of groups.entries()) {
    onProgress?.(`Learning from words: ${group[0]!.task.row} (${i + 1} of ${groups.length})`)
    for (const [at, found] of learnBlind(group, seed).entries()) if (found) points.set(group[at]!, found)
  }
  if (points.size === 0) {
    throw new UserError(`Nothing to learn from: all samples of ${source} are about one scene.`, {
      hint: 'Audit more samples, or give those of different scenes different clusters.',
    })
  }
  return {
    format: 1,
    suite: suite.name,
    suiteVersion: suite.version,
    profile,
    source,
    limit: limit ?? null,
    options: { ...(options as Readonly<Record<string, unknown>>) },
    seed,
    samples: samples.length,
    clusters: new Set(samples.map(({ cluster }) => cluster)).size,
    rows: auditRows(suite, { profile, options }, samples, tasks, points),
    notes: [...(opened.notes ?? [])],
    ids: samples.map(({ id }) => id),
    easy: easySamples(
      [...points].map(([{ task, sample }, found]) => ({ id: samples[sample]!.id, row: task.row, points: found })),
      seed,
    ),
  }
}

function metricOf({ metrics }: AnySuite, { row, metric }: ClusteredTask['task']): string {
  return metric ?? (Object.hasOwn(metrics, row) ? row : (Object.keys(metrics)[0] ?? row))
}

/** Prefix of metrics that hold the points of a task row. */
const OWN = 'audit/'

type Line = 'chance' | 'constant' | 'blind'

function auditRows(
  suite: AnySuite,
  context: { profile: string; options: unknown },
  samples: readonly SampleBase[],
  tasks: readonly Recorded[],
  points: ReadonlyMap<Recorded, BlindPoints>,
): AuditRow[] {
  const metrics = new Set(tasks.map(({ metric }) => metric))
  const others = Object.keys(suite.metrics).filter((name) => !metrics.has(name))
  const rows = [...new Set(tasks.map(({ task }) => task.row))]
  const tableOf = (line: Line, fill: number | null): Table =>
    new Table(scoredRows(samples, tasks, points, line, fill === null ? [] : others, fill ?? 0), suite.metrics)
  const summaryRows = (means: Means): readonly SummaryRow[] => suite.summary(means, context).rows

  const tables = { chance: tableOf('chance', null), constant: tableOf('constant', null), blind: tableOf('blind', null) }
  const titles = new Map(summaryRows(tables.blind).map((row) => [row.key, row]))
  const whole = independentKeys(summaryRows, tables.blind, [tableOf('blind', 0), tableOf('blind', 1)])
  const own = rows.filter((row) => !whole.has(row))
  const valuesOf = (means: Means): Map<string, number | null> =>
    new Map([
      ...summaryRows(means).flatMap(({ key, value }): [string, number | null][] =>
        whole.has(key) ? [[key, value]] : [],
      ),
      ...own.map((row): [string, number | null] => [row, means.mean(OWN + row)]),
    ])
  const countsOf = (means: Means): Map<string, number> =>
    new Map([
      ...summaryRows(means).map(({ key, n }): [string, number] => [key, n]),
      ...own.map((row): [string, number] => [row, means.count(OWN + row)]),
    ])
  const values = { chance: valuesOf(tables.chance), constant: valuesOf(tables.constant), blind: valuesOf(tables.blind) }
  const counts = { chance: countsOf(tables.chance), blind: countsOf(tables.blind) }
  // Chance on some of the questions of a row is not the chance of the row.
  for (const key of values.chance.keys())
    if (counts.chance.get(key) !== counts.blind.get(key)) values.chance.delete(key)
  const intervals = bootstrap(tables, valuesOf, (key) => values.chance.has(key))

  return [...values.blind].map(([key, blind]): AuditRow => {
    const { title = key, section } = titles.get(key) ?? {}
    const chance = values.chance.get(key) ?? null
    const constant = values.constant.get(key) ?? null
    const group = tasks.filter(({ task }) => task.row === key).map(({ task }) => task)
    return {
      key,
      title,
      ...(section !== undefined && { section }),
      n: counts.blind.get(key) ?? 0,
      chance,
      constant,
      ...(group.length > 0 && isOneKind(group) && { constantAnswer: constantText(problemOf(group)) }),
      blind,
      blindInterval: intervals.blind(key),
      gain: blind === null ? null : blind - Math.max(chance ?? 0, constant ?? 0),
      gainInterval: intervals.gain(key),
      ceiling: null,
    }
  })
}

function isOneKind(tasks: readonly ClusteredTask['task'][]): boolean {
  return tasks.every(({ target }) => target.kind === tasks[0]!.target.kind)
}

/** The samples as if they had been played, with the points of one line as scores. */
function scoredRows(
  samples: readonly SampleBase[],
  tasks: readonly Recorded[],
  points: ReadonlyMap<Recorded, BlindPoints>,
  line: Line,
  others: readonly string[],
  fill: number,
): ScoredRow[] {
  const found = samples.map(() => new Map<string, number[]>())
  for (const task of tasks) {
    const value = points.get(task)?.[line] ?? null
    if (value === null) continue
    const own = found[task.sample]!
    for (const metric of [task.metric, OWN + task.task.row]) {
      const values = own.get(metric)
      if (values) values.push(value)
      else own.set(metric, [value])
    }
  }
  const filled = Object.fromEntries(others.map((name) => [name, fill]))
  return samples.map(({ id, cluster, labels }, i) => ({
    sample: id,
    epoch: 1,
    cluster,
    labels,
    status: 'answered',
    scores: { ...filled, ...Object.fromEntries([...found[i]!].map(([name, values]) => [name, mean(values)])) },
  }))
}

/** Keys of the percentages that do not change with metrics that no task has: their values follow from the tasks alone. */
function independentKeys(
  rowsOf: (means: Means) => readonly SummaryRow[],
  table: Table,
  filled: readonly Table[],
): ReadonlySet<string> {
  const others = filled.map((each) => new Map(rowsOf(each).map(({ key, value }) => [key, value])))
  const isSame = (a: number | null | undefined, b: number): boolean => a != null && Math.abs(a - b) < 1e-9
  return new Set(
    rowsOf(table).flatMap(({ key, value, unit, better }) =>
      value !== null &&
      unit === 'percent' &&
      better === 'higher' &&
      others.every((each) => isSame(each.get(key), value))
        ? [key]
        : [],
    ),
  )
}

/** 95% intervals of the learned score and of its gain, from the same draws of scenes. */
function bootstrap(
  { chance, constant, blind }: Readonly<Record<Line, Table>>,
  valuesOf: (means: Means) => Map<string, number | null>,
  hasChance: (key: string) => boolean,
) {
  const clusters = blind.clusters.length
  const weights = new Float64Array(clusters)
  const [low, middle, high] = [chance, constant, blind].map((table) => new WeightedMeans([{ table, weights }]))
  const random = new Random(`audit/bootstrap/${DEFAULT_SEED}`)
  const blinds = new Map<string, number[]>()
  const gains = new Map<string, number[]>()
  for (let i = 0; i < DEFAULT_RESAMPLES; i++) {
    drawWeights(weights, random)
    for (const means of [low!, middle!, high!]) means.reweighted()
    const [guessed, constants, learned] = [valuesOf(low!), valuesOf(middle!), valuesOf(high!)]
    collect(blinds, learned)
    collect(
      gains,
      new Map(
        [...learned].map(([key, value]) => [
          key,
          value === null
            ? null
            : value - Math.max(hasChance(key) ? (guessed.get(key) ?? 0) : 0, constants.get(key) ?? 0),
        ]),
      ),
    )
  }
  const intervalIn =
    (drawn: ReadonlyMap<string, number[]>) =>
    (key: string): Interval | null =>
      intervalOf(drawn.get(key), clusters, DEFAULT_RESAMPLES).interval
  return { blind: intervalIn(blinds), gain: intervalIn(gains) }
}
