/** Figures of the headline scores of any number of runs: forest plot, and score against cost. */
import { isBaseline } from '../../base/baseline.ts'
import { groupBy } from '../../base/group.ts'
import { plural } from '../../base/plural.ts'
import { formatUsd, formatValue, formatWithInterval } from '../format.ts'
import { isCalled } from '../main-keys.ts'
import type { Report } from '../report.ts'
import {
  type CostFigure,
  type Estimate,
  REFERENCES,
  type Reference,
  type ScoreFigure,
  type ScorePanelRow,
  type ScoreScale,
} from './figure.ts'

/** A score with its levels of reference, as rows of reports and headlines of the viewer have them. */
export interface Score extends ScoreScale, Estimate {
  chance?: number | null | undefined
  constant?: number | null | undefined
  blind?: number | null | undefined
  ceiling?: number | null | undefined
}

/** A run with its headline score. */
export interface ScoredRun {
  name: string
  /** Runs of one suite share a panel. */
  suite: string
  score: Score
  /** US dollars; null if unknown. */
  usd: number | null
  /** What else it cost, such as the steps of an exploration. */
  spent?: { title: string; value: number | null }
}

/**
 * Runs whose report has a headline score.
 *
 * @param against the key or title of a number that costs are read from instead of dollars; runs without it are left out
 */
export function scoredRuns(reports: readonly Report[], against?: string): ScoredRun[] {
  const names = runNames(reports)
  return reports.flatMap((report, i): ScoredRun[] => {
    const score = report.rows.find(({ key }) => key === report.headline)
    if (score === undefined) return []
    const run = { name: names[i]!, suite: report.title, score, usd: report.usage.usd }
    if (against === undefined) return [run]
    const spent = report.rows.find((row) => row.unit === 'number' && isCalled(row, against))
    return spent === undefined ? [] : [{ ...run, spent: { title: spent.title, value: spent.value } }]
  })
}

/** The player of each run; where several runs have the same, with its profile, the end of its id, or all of it. */
export function runNames(reports: readonly Report[]): string[] {
  const players = reports.map(({ run, models }) => models['player'] ?? run)
  return reports.map((report, i) => {
    const same = reports.filter((other, j) => other.suite === report.suite && players[j] === players[i])
    if (same.length === 1) return players[i]!
    const differing = [({ profile }: Report) => profile, ({ run }: Report) => run.slice(run.lastIndexOf('_') + 1)].find(
      (part) => same.filter((other) => part(other) === part(report)).length === 1,
    )
    return `${players[i]} (${differing?.(report) ?? report.run})`
  })
}

/** The headline score of each run with its interval, best first. */
export function forestFigure(runs: readonly ScoredRun[]): ScoreFigure {
  const panels = panelsOf(runs).map(({ title, scale, runs: shown }) => ({
    title,
    scale,
    rows: shown.map(({ name, score }): ScorePanelRow => ({
      name,
      estimates: [{ value: score.value, interval: score.interval }],
      references: referencesOf(score),
      isQuiet: isBaseline(name),
    })),
  }))
  return {
    kind: 'scores',
    title: `Scores of ${plural(runs.length, 'run')}`,
    description: `${describeRuns(runs)} Lines are 95% confidence intervals.`,
    series: [''],
    panels,
  }
}

/** The headline score of each run against its cost. */
export function costFigure(runs: readonly ScoredRun[]): CostFigure {
  const cost = ({ usd, spent }: ScoredRun): string => {
    if (spent !== undefined) return `${spent.title} ${formatValue(spent.value, 'number')}`
    return usd === null ? 'cost unknown' : formatUsd(usd)
  }
  return {
    kind: 'cost',
    title: `Score against cost of ${plural(runs.length, 'run')}`,
    description: describeRuns(runs, (run) => ` for ${cost(run)}`),
    panels: panelsOf(runs).map(({ title, scale, runs: shown }) => ({
      title,
      scale,
      ...(shown[0]!.spent && { axis: shown[0]!.spent.title }),
      points: shown
        .filter(({ score }) => score.value !== null)
        .map(({ name, score: { value, interval }, usd, spent }) => ({
          name,
          value,
          interval,
          cost: spent === undefined ? usd : spent.value,
          isQuiet: isBaseline(name),
        })),
    })),
  }
}

/** Runs by suite and score, the best first. */
function panelsOf(runs: readonly ScoredRun[]): { title: string; scale: ScoreScale; runs: ScoredRun[] }[] {
  const groups = groupBy(runs, ({ suite, score }) => `${suite}\u0000${score.title}\u0000${score.unit}`)
  return [...groups.values()].map((group) => {
    const { suite, score } = group[0]!
    return {
      title: suite,
      scale: { title: score.title, unit: score.unit, better: score.better },
      runs: group.toSorted((a, b) => rankOf(b) - rankOf(a)),
    }
  })
}

/** Higher is better; runs without a score come last. */
function rankOf({ score: { value, better } }: ScoredRun): number {
  if (value === null) return Number.NEGATIVE_INFINITY
  return better === 'higher' ? value : -value
}

export function referencesOf(score: Score): Partial<Record<Reference, number>> {
  const known: Partial<Record<Reference, number>> = {}
  for (const name of REFERENCES) {
    const value = score[name]
    if (value !== null && value !== undefined) known[name] = value
  }
  return known
}

/** Descriptions stay short enough to listen to. */
const DESCRIBED = 12

function describeRuns(runs: readonly ScoredRun[], more: (run: ScoredRun) => string = () => ''): string {
  const parts = panelsOf(runs).map(({ title, scale, runs: shown }) => {
    const texts = shown
      .slice(0, DESCRIBED)
      .map((run) => `${run.name} ${formatWithInterval(run.score.value, run.score.interval, scale.unit)}${more(run)}`)
    const rest = shown.length > DESCRIBED ? `, and ${plural(shown.length - DESCRIBED, 'more run')}` : ''
    return `${title}, ${scale.title}: ${texts.join(', ')}${rest}.`
  })
  return parts.join(' ')
}
