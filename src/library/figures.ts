/** Figures of recorded runs. */
import { UserError } from '../base/errors.ts'
import { answersIn } from '../engine/answers.ts'
import { episodeDescriber } from '../engine/describe.ts'
import { makeReport } from '../engine/reporting.ts'
import type { AnySuite } from '../engine/suite.ts'
import {
  type AnsweredEpisode,
  type AnsweredRuns,
  confusionFigure,
  numberFigure,
  typeTitles,
} from '../report/figures/answers.ts'
import { type ComparedRun, compare } from '../report/compare.ts'
import { curveFigure } from '../report/figures/curves.ts'
import type { Figure } from '../report/figures/figure.ts'
import { FIGURE_KINDS, type FigureKind } from '../report/figures/kinds.ts'
import { costFigure, forestFigure, runNames, scoredRuns } from '../report/figures/runs.ts'
import { matrixFigure, typeFigure } from '../report/figures/types.ts'
import { mapFigure, type SceneMaps } from '../report/figures/maps.ts'
import { sweepFigure } from '../report/figures/sweep.ts'
import type { Report } from '../report/report.ts'
import type { RunReader } from '../store/run-reader.ts'
import { openRecorded, type ResultOptions } from './results.ts'

export interface FigureRequest extends ResultOptions {
  /** For `types`: only rows whose key, title or section contains one of these. */
  only?: readonly string[] | undefined
  /** For `cost`: the key or title of a number to draw scores against instead of dollars, such as `cost` of an exploration. */
  against?: string | undefined
  /** For `sweep`: the option on the axis, such as `rooms`. */
  over?: string | undefined
  /** For `sweep`: the option whose two settings are compared, such as `explore`. */
  gap?: string | undefined
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
  const found = await build(kind, runs, options)
  if (found !== null) return found
  const available: string[] = []
  for (const other of Object.keys(FIGURE_KINDS) as FigureKind[]) {
    if (other !== kind && (await build(other, runs, {})) !== null) available.push(other)
  }
  const names = runs.map(({ reader }) => reader.header.id).join(', ')
  const what =
    kind === 'types' && options.only?.length
      ? `no scores that match ${options.only.join(', ')}`
      : kind === 'cost' && options.against !== undefined
        ? `no number called "${options.against}"`
        : kind === 'sweep'
          ? options.over === undefined
            ? 'no option to order them by: name one with --over'
            : `no number as option "${options.over}"`
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
  maps: 'no maps with a true one beside them',
  sweep: 'no option to order them by',
}

async function build(
  kind: FigureKind,
  runs: readonly Recorded[],
  { only = [], against, over, gap }: Pick<FigureRequest, 'only' | 'against' | 'over' | 'gap'>,
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
    case 'maps':
      return mapFigure(await mapsOf(runs))
    case 'sweep':
      return over === undefined ? null : await sweepOf(runs, over, gap)
    case 'numbers':
      return numberFigure(await answersOf(runs))
    case 'confusion':
      return confusionFigure(await answersOf(runs))
  }
}

/** Scenes of a figure: more would not fit on a page. */
const MAX_SCENES = 4

/** Maps of the first scenes that the first run has one of, with those of the other runs. */
async function mapsOf(runs: readonly Recorded[]): Promise<SceneMaps[]> {
  const names = runNames(runs.map(({ report }) => report))
  const scenes = new Map<string, SceneMaps>()
  for (const [run, { reader, suite }] of runs.entries()) {
    const describe = episodeDescriber(suite, reader.header)
    const done = new Set<string>()
    for (const line of await reader.episodes()) {
      const known = scenes.get(line.cluster)
      if (done.has(line.cluster) || (!known && (run > 0 || scenes.size === MAX_SCENES))) continue
      const { map } = describe(await reader.events(line).catch(() => []))
      if (!map) continue
      done.add(line.cluster)
      const drawn = [...(known?.drawn ?? []), { run: names[run]!, places: map.drawn }]
      scenes.set(line.cluster, { scene: line.cluster, cells: map.cells, truth: map.truth, drawn })
    }
  }
  return [...scenes.values()]
}

/** Runs that have the option; `3-rooms` counts as 3. */
async function sweepOf(runs: readonly Recorded[], over: string, gap: string | undefined): Promise<Figure | null> {
  const swept = runs.flatMap(({ reader, report }) => {
    const { options } = reader.header
    const x = Number.parseFloat(textOf(options[over]))
    return Number.isFinite(x) ? [{ report, x, setting: gap === undefined ? '' : textOf(options[gap]) }] : []
  })
  const byId = new Map(runs.map((run) => [run.report.run, run]))
  const rowsOf = new Map<string, ComparedRun>()
  for (const { reader } of runs) rowsOf.set(reader.header.id, { header: reader.header, rows: await reader.episodes() })
  return sweepFigure(swept, {
    over,
    difference: (first, second) => {
      const [a, b] = [rowsOf.get(first.run)!, rowsOf.get(second.run)!]
      const shared = new Set(a.rows.map(({ sample }) => sample))
      if (!b.rows.some(({ sample }) => shared.has(sample))) return null
      const { rows, headline } = compare(a, b, byId.get(first.run)!.suite)
      const row = rows.find(({ key }) => key === headline)
      return row ? { value: row.difference, interval: row.interval } : null
    },
  })
}

function textOf(option: unknown): string {
  return typeof option === 'string' ? option : JSON.stringify(option ?? '')
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
