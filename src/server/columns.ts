/** All episodes of a run in columnar form. */
import type { AnySuite } from '../engine/suite.ts'
import { LiveMeans } from '../report/live.ts'
import { successMetric } from '../report/passes.ts'
import { STATUSES, type EpisodeLine, type RunHeader } from '../store/records.ts'
import type { DescribedField, DictionaryColumn, EpisodeColumns, MetricInfo } from './api.ts'

/** Error messages are truncated in the table; the episode page shows them in full. */
const MAX_ERROR_LENGTH = 300
const LINES_FOR_MAIN_SCORE = 500

/** How the run is scored and summarized. */
type Rules = Pick<RunHeader, 'profile' | 'options'>

export function columnsOf(
  lines: readonly EpisodeLine[],
  suite: AnySuite | null,
  rules: Rules,
  described: readonly DescribedField[] = [],
): EpisodeColumns {
  const count = lines.length
  const cluster = new Dictionary(count)
  const labels = new Map<string, Dictionary>()
  const scores = new Map<string, (number | null)[]>()
  const errors: Record<number, string> = {}
  for (const [row, line] of lines.entries()) {
    cluster.set(row, line.cluster)
    for (const name in line.labels) dictionaryFor(labels, name, count).set(row, line.labels[name]!)
    for (const name in line.scores) columnFor(scores, name, count)[row] = line.scores[name]!
    if (line.error !== undefined) errors[row] = line.error.slice(0, MAX_ERROR_LENGTH)
  }
  return {
    index: lines.map((line) => line.index),
    epoch: lines.map((line) => line.epoch),
    sample: lines.map((line) => line.sample),
    status: lines.map((line) => STATUSES.indexOf(line.status)),
    statuses: STATUSES,
    cluster: cluster.column(),
    labels: Object.fromEntries([...labels].map(([name, column]) => [name, column.column()])),
    scores: Object.fromEntries([...scores].map(([name, values]) => [name, values.map(roundToSixDigits)])),
    mainScore: mainScoreOf(lines, suite, rules, [...scores.keys()]),
    metrics: metricsOf(suite, scores.keys()),
    usd: lines.map(({ usage }) => roundToSixDigits(usage.usd)),
    ms: lines.map(({ ms }) => Math.round(ms)),
    errors,
    described,
  }
}

/** What the suite says about these metrics. */
export function metricsOf(suite: AnySuite | null, names: Iterable<string>): Record<string, MetricInfo> {
  const known: Record<string, MetricInfo> = {}
  for (const name of names) {
    const metric = suite?.metrics[name]
    if (metric) known[name] = { title: metric.title, unit: metric.unit, better: metric.better }
  }
  return known
}

/** The suite's success metric, or the first available one if the suite names none or is not installed. */
export function mainScoreOf(
  lines: readonly EpisodeLine[],
  suite: AnySuite | null,
  rules: Rules,
  found: readonly string[],
): string | null {
  const named = suite && successMetric(suite.summary(meansOfFirst(lines, suite), rules), suite.metrics)
  if (named !== null && found.includes(named)) return named
  const declared = Object.keys(suite?.metrics ?? {}).find((name) => found.includes(name))
  return declared ?? found[0] ?? null
}

/** The first lines are enough for a suite to name its success metric. */
function meansOfFirst(lines: readonly EpisodeLine[], suite: AnySuite): LiveMeans {
  const means = new LiveMeans(suite.metrics)
  for (const line of lines.slice(0, LINES_FOR_MAIN_SCORE)) means.add(line)
  return means
}

/** Six digits are plenty for a table and save two thirds of the bytes. */
function roundToSixDigits(value: number | null): number | null {
  return value === null || Number.isInteger(value) ? value : Number(value.toPrecision(6))
}

class Dictionary {
  readonly #codes: number[]
  readonly #byValue = new Map<string, number>()

  constructor(count: number) {
    this.#codes = Array.from({ length: count }, () => -1)
  }

  set(row: number, value: string): void {
    let code = this.#byValue.get(value)
    if (code === undefined) this.#byValue.set(value, (code = this.#byValue.size))
    this.#codes[row] = code
  }

  column(): DictionaryColumn {
    return { values: [...this.#byValue.keys()], codes: this.#codes }
  }
}

function dictionaryFor(columns: Map<string, Dictionary>, name: string, count: number): Dictionary {
  let column = columns.get(name)
  if (!column) columns.set(name, (column = new Dictionary(count)))
  return column
}

function columnFor(columns: Map<string, (number | null)[]>, name: string, count: number): (number | null)[] {
  let column = columns.get(name)
  if (!column) columns.set(name, (column = Array.from({ length: count }, () => null)))
  return column
}
