/** Compares two runs, paired by sample. */
import { LabelGroups } from '../report/denominator.ts'
import { compare } from '../report/compare.ts'
import type { AnySuite } from '../engine/suite.ts'
import { counts, type EpisodeLine } from '../store/records.ts'
import { episodeKey } from '../store/journal.ts'
import type { CompareDetail, Pair } from './api.ts'
import { mainScoreOf } from './columns.ts'
import { HttpProblem } from './http/problem.ts'
import { metricTitle } from '../report/format.ts'
import type { RunEntry } from './run-entry.ts'

export async function compareRuns(a: RunEntry, b: RunEntry): Promise<CompareDetail> {
  const suite = await a.suite()
  if (!suite) {
    throw new HttpProblem(422, `Cannot compare runs: unknown suite ${a.reader.header.suite}.`)
  }
  const [rowA, rowB, linesA, linesB] = await Promise.all([a.row(), b.row(), a.lines(), b.lines()])
  const comparison = compare(
    { header: a.reader.header, rows: linesA },
    { header: b.reader.header, rows: linesB },
    suite,
  )
  const found = new Set([...linesA, ...linesB].flatMap(({ scores }) => Object.keys(scores)))
  const metric = mainScoreOf(linesA, suite, a.reader.header, [...found]) ?? 'score'
  const { unit = 'number', better = 'higher' } = Object.hasOwn(suite.metrics, metric) ? suite.metrics[metric]! : {}
  return {
    comparison,
    a: rowA,
    b: rowB,
    metricTitle: metricTitle(metric, suite.metrics),
    unit,
    better,
    pairs: pairsOf(linesA, linesB, suite, metric),
  }
}

/** Episodes present in both runs, largest difference first. */
export function pairsOf(a: readonly EpisodeLine[], b: readonly EpisodeLine[], suite: AnySuite, metric: string): Pair[] {
  const groups = new LabelGroups(suite.metrics)
  for (const line of [...a, ...b]) if (counts(line.status)) groups.add(line)
  // Failures count the same way as in the tables.
  const score = (line: EpisodeLine): number | null => {
    const own = Object.hasOwn(line.scores, metric) ? line.scores[metric]! : null
    if (own !== null || !counts(line.status) || line.status === 'answered') return own
    return groups.zeroForFailed(metric, groups.add(line)) ? 0 : null
  }
  const side = (line: EpisodeLine): Pair['a'] => ({ index: line.index, score: score(line), status: line.status })
  const inB = new Map(b.map((line) => [episodeKey(line), line]))
  const pairs: Pair[] = []
  for (const line of a) {
    const other = inB.get(episodeKey(line))
    if (other)
      pairs.push({ sample: line.sample, epoch: line.epoch, labels: line.labels, a: side(line), b: side(other) })
  }
  return pairs.sort((one, two) => difference(two) - difference(one))
}

function difference({ a, b }: Pair): number {
  return a.score === null || b.score === null ? 0 : Math.abs(a.score - b.score)
}
