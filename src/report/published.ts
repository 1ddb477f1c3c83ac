/** Published results of a benchmark beside those of a run: whether they are like for like, and whether they add up. */
import { z } from 'zod'
import { groupBy } from '../base/group.ts'
import { formatValue } from './format.ts'
import { isPart, type Report } from './report.ts'

const sourceSchema = z.object({
  title: z.string(),
  /** Null if only a secondary text was seen. */
  url: z.url({ protocol: /^https?$/ }).nullable(),
})

const rowSchema = z.object({
  model: z.string(),
  kind: z.enum(['model', 'baseline', 'human']),
  /** A name in `sources`. */
  source: z.string(),
  /** `2025-04-19`; null if the source does not say. */
  date: z.string().nullable(),
  /** How it was measured, as columns of the table: frames, set, harness. Null where the source does not say. */
  facts: z.record(z.string(), z.string().nullable()),
  /** In percent, as printed. */
  scores: z.array(z.number().nullable()),
  note: z.string().exactOptional(),
})

/** The file format of published results: facts with their sources; nothing is estimated. */
export const publishedFile = z.object({
  /** Name of the benchmark: `VSI-Bench`. */
  title: z.string(),
  /** Keys of the suite's summary rows, in the order of `scores`; the first is the headline. */
  metrics: z.array(z.string()),
  /** Where the numbers come from, by name. */
  sources: z.record(z.string(), sourceSchema),
  rows: z.array(rowSchema),
})

export type PublishedSource = z.output<typeof sourceSchema>
export type PublishedRow = z.output<typeof rowSchema>

/** Results that others published for the benchmark of a suite, and what makes a run comparable with them. */
export interface PublishedResults extends z.output<typeof publishedFile> {
  /** The sources of samples (`--source`) that are the data the numbers were measured on. */
  data: readonly string[]
  /** Recomputes the headline from the other scores of a row, in percent; null if one is missing. */
  total?(scores: Readonly<Record<string, number | null>>): number | null
  /** Larger differences between a printed total and `total` are not rounding. Default: 0.1 percentage points. */
  tolerance?: number
  /** What else must be the same for a run to be like for like. */
  conditions(row: PublishedRow, run: Report): readonly PublishedCondition[]
}

/** A setting of the published row and of the run. Null: not known. */
export interface PublishedCondition {
  what: string
  published: string | null
  run: string | null
}

/** A published row, judged against runs. */
export interface JudgedRow extends PublishedRow {
  /** Null if the source does not say enough. */
  likeForLike: boolean | null
  /** Why not, in words. */
  reasons: string[]
  /** The headline recomputed from the other scores, if it differs from the printed one. */
  recomputed: number | null
}

const DEFAULT_TOLERANCE = 0.1

/** All rows, the best headline first; those without one come last. */
export function judgedRows(published: PublishedResults, runs: readonly Report[]): JudgedRow[] {
  return published.rows
    .map((row) => ({ ...row, ...verdict(published, row, runs), recomputed: recomputed(published, row) }))
    .sort((a, b) => (b.scores[0] ?? -1) - (a.scores[0] ?? -1))
}

function verdict(
  published: PublishedResults,
  row: PublishedRow,
  runs: readonly Report[],
): Pick<JudgedRow, 'likeForLike' | 'reasons'> {
  const differing = new Set<string>()
  const unknown = new Set<string>()
  for (const run of runs) {
    for (const { what, published: theirs, run: ours } of [
      ...generalConditions(published, run),
      ...published.conditions(row, run),
    ]) {
      if (theirs === null || ours === null) unknown.add(what)
      else if (theirs !== ours) differing.add(`${what}: ${theirs}, here ${ours}`)
    }
  }
  const isUnknown = unknown.size > 0
  return {
    likeForLike: differing.size > 0 ? false : isUnknown ? null : true,
    reasons: [...differing, ...(isUnknown ? [`not stated: ${[...unknown].join(', ')}`] : [])],
  }
}

/** Generated scenes are never the data of a benchmark, a part of it is another sample, and a mean of parts another score. */
function generalConditions({ title, data, metrics }: PublishedResults, run: Report): PublishedCondition[] {
  const source = sourceOf(run).name
  return [
    {
      what: 'data',
      published: title,
      run: data.includes(source) ? title : source === 'builtin' ? 'generated samples' : `source ${source}`,
    },
    ...(data.includes(source)
      ? [
          { what: 'samples', published: 'all', run: isPart(run) ? `${run.counted} of the set` : 'all' },
          { what: 'score', published: metrics[0] ?? null, run: run.headline },
        ]
      : []),
  ]
}

/** Name and arguments of the source of a run: `vsi-bench:/data,set=tiny`. */
export function sourceOf({ source }: Pick<Report, 'source'>): { name: string; args: Readonly<Record<string, string>> } {
  const [name, ...rest] = source.split(':')
  const pairs = rest.join(':').split(',')
  return {
    name: name!,
    args: Object.fromEntries(pairs.flatMap((pair) => (/^\w+=/.test(pair) ? [splitPair(pair)] : []))),
  }
}

function splitPair(pair: string): [string, string] {
  const at = pair.indexOf('=')
  return [pair.slice(0, at), pair.slice(at + 1)]
}

/** The value of a suite option of a run, as text. */
export function optionOf({ fingerprint }: Report, name: string): string | null {
  return fingerprint.parts[`option.${name}`]?.replace(/^"(.*)"$/, '$1') ?? null
}

function recomputed(published: PublishedResults, row: PublishedRow): number | null {
  const { metrics, tolerance = DEFAULT_TOLERANCE } = published
  const printed = row.scores[0] ?? null
  const parts = Object.fromEntries(metrics.slice(1).map((key, i) => [key, row.scores[i + 1] ?? null]))
  const sum = published.total?.(parts) ?? null
  // Printed numbers are decimal: 0.1 apart must not fail for binary reasons.
  return printed === null || sum === null || Math.abs(sum - printed) <= tolerance + 1e-9 ? null : sum
}

const BEST = 8
const NEAREST = 3

/** The best rows, those nearest to the runs, and people and baselines; all of them if they are few. */
export function notableRows(rows: readonly JudgedRow[], runs: readonly Report[]): JudgedRow[] {
  const models = rows.filter(({ kind, scores }) => kind === 'model' && scores[0] !== null)
  const own = runs.flatMap((run) => run.rows.find(({ key }) => key === run.headline)?.value ?? [])
  const gap = ({ scores }: JudgedRow): number => Math.min(...own.map((value) => Math.abs(value * 100 - scores[0]!)))
  const nearest = own.length === 0 ? [] : models.toSorted((a, b) => gap(a) - gap(b)).slice(0, NEAREST)
  // A model that was measured several times is one of the best once.
  const best = [...groupBy(models, ({ model }) => model).values()].map(([first]) => first!).slice(0, BEST)
  const chosen = new Set([...best, ...nearest, ...rows.filter(({ kind }) => kind !== 'model')])
  return rows.filter((row) => chosen.has(row))
}

/** What to note on a row: a total that does not add up, and a remark on its source. */
export function remarksOn({ scores, recomputed: sum, note }: JudgedRow): string[] {
  return [
    ...(sum === null
      ? []
      : [
          `Does not add up: printed ${formatValue(scores[0]! / 100, 'percent')}, its parts give ${formatValue(sum / 100, 'percent')}.`,
        ]),
    ...(note === undefined ? [] : [note]),
  ]
}

/** Sources in order of first use. */
export function sourcesUsed(published: PublishedResults, rows: readonly JudgedRow[]): [string, PublishedSource][] {
  return [...groupBy(rows, ({ source }) => source).keys()].map((name) => [name, published.sources[name]!])
}
