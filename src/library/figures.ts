/** Figures of recorded runs. */
import { UserError } from '../base/errors.ts'
import { answersIn } from '../engine/answers.ts'
import { makeReport } from '../engine/reporting.ts'
import type { AnySuite } from '../engine/suite.ts'
import {
  type AnsweredEpisode,
  type AnsweredRuns,
  confusionFigure,
  numberFigure,
  typeTitles,
} from '../report/figures/answers.ts'
import { curveFigure } from '../report/figures/curves.ts'
import type { Figure } from '../report/figures/figure.ts'
import { FIGURE_KINDS, type FigureKind } from '../report/figures/kinds.ts'
import { costFigure, forestFigure, runNames, scoredRuns } from '../report/figures/runs.ts'
import { matrixFigure, typeFigure } from '../report/figures/types.ts'
import type { Report } from '../report/report.ts'
import type { RunReader } from '../store/run-reader.ts'
import { openRecorded, type ResultOptions } from './results.ts'

export interface FigureRequest extends ResultOptions {
  /** For `types`: only rows whose key, title or section contains one of these. */
  only?: readonly string[] | undefined
  /** For `cost`: the key or title of a number to draw scores against instead of dollars, such as `cost` of an exploration. */
  against?: string | undefined
}

interface Recorded {
  reader: RunReader
  suite: AnySuite
  report: Report
}

/** A figure of one or several runs; throws a `UserError` that lists the available kinds if they have no data for it. */
export async function figure(kind: FigureKind, ids: readonly string[], options: FigureRequest = {}): Promise<Figure> {
  const runs: Recorded[] = []
  for (const id of ids) {
    const { reader, suite } = await openRecorded(id, options)
    if (runs.some((run) => run.reader.header.id === reader.header.id)) continue
    runs.push({ reader, suite, report: await makeReport(reader, suite, options.profile) })
  }
  const found = await build(kind, runs, options.only, options.against)
  if (found !== null) return found
  const available: string[] = []
  for (const other of Object.keys(FIGURE_KINDS) as FigureKind[]) {
    if (other !== kind && (await build(other, runs, [])) !== null) available.push(other)
  }
  const names = runs.map(({ reader }) => reader.header.id).join(', ')
  const what =
    kind === 'types' && options.only?.length
      ? `no scores that match ${options.only.join(', ')}`
      : kind === 'cost' && options.against !== undefined
        ? `no number called "${options.against}"`
        : MISSING[kind]
  throw new UserError(`Cannot draw ${kind}: ${names} ${runs.length === 1 ? 'has' : 'have'} ${what}.`, {
    hint: available.length === 0 ? 'There is nothing to draw yet.' : `Figures of these runs: ${available.join(', ')}.`,
  })
}

const MISSING: Readonly<Record<FigureKind, string>> = {
  forest: 'no scores',
  types: 'no scores by type',
  cost: 'no scores',
  numbers: 'no numeric answers with a ground truth',
  confusion: 'no choices with a ground truth',
  heatmap: 'no scores that form a matrix',
  curves: 'no curves',
}

async function build(
  kind: FigureKind,
  runs: readonly Recorded[],
  only: readonly string[] = [],
  against?: string,
): Promise<Figure | null> {
  const reports = runs.map(({ report }) => report)
  const scored = scoredRuns(reports, kind === 'cost' ? against : undefined)
  const hasScores = scored.some(({ score }) => score.value !== null)
  switch (kind) {
    case 'forest':
      return hasScores ? forestFigure(scored) : null
    case 'cost':
      return hasScores ? costFigure(scored) : null
    case 'types':
      return typeFigure(reports, only)
    case 'heatmap':
      return matrixFigure(reports)
    case 'curves':
      return curveFigure(reports)
    case 'numbers':
      return numberFigure(await answersOf(runs))
    case 'confusion':
      return confusionFigure(await answersOf(runs))
  }
}

async function answersOf(runs: readonly Recorded[]): Promise<AnsweredRuns> {
  const reports = runs.map(({ report }) => report)
  const episodes: AnsweredEpisode[] = []
  let unreadable = 0
  for (const [run, { reader, suite }] of runs.entries()) {
    const own = await answersIn(reader, suite, await reader.episodes())
    for (const episode of own.episodes) episodes.push({ run, ...episode })
    unreadable += own.unreadable
  }
  return { unreadable, runs: runNames(reports), titles: typeTitles(reports), episodes }
}
