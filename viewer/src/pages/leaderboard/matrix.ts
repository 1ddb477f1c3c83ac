/** Runs as a matrix: a row per suite and configuration, a column per player. */
import { groupBy } from '../../../../src/base/group.ts'
import type { RunRow, SharedDetail } from '../../../../src/server/api.ts'
import { headlineOf } from '../shared/headline.ts'

export interface MatrixRow {
  suite: string
  title: string
  /** Runs of one group differ in players, limits and epochs only. */
  group: string
  profile: string
  source: string
  /** By player; the run shown in the cell comes first. */
  cells: ReadonlyMap<string, readonly RunRow[]>
}

export interface SuiteRows {
  suite: string
  title: string
  /** The configuration with the most players (on a tie, the newest) comes first. */
  rows: readonly MatrixRow[]
}

export interface Matrix {
  suites: readonly SuiteRows[]
}

/** Runs without episodes have nothing to show; they are in the list of all runs. */
export function matrixOf(given: readonly RunRow[], { baselines = true }: { baselines?: boolean } = {}): Matrix {
  const runs = given.filter(
    ({ finished, headline, state, player }) =>
      finished > 0 && (headline !== null || state === 'running') && (baselines || !isBaseline(player)),
  )
  const suites = [...groupBy(runs, ({ suite }) => suite)].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    suites: suites.map(([suite, ofSuite]) => ({
      suite,
      title: ofSuite[0]!.suiteTitle,
      rows: [...groupBy(ofSuite, ({ group }) => group).values()]
        .sort((a, b) => playerCount(b) - playerCount(a) || (newest(a) < newest(b) ? 1 : -1))
        .map(rowOf),
    })),
  }
}

function rowOf(runs: readonly RunRow[]): MatrixRow {
  const { suite, suiteTitle, group, profile, source } = runs[0]!
  const cells = groupBy(runs, ({ player }) => player)
  for (const ofPlayer of cells.values()) ofPlayer.sort(byCompleteness)
  return { suite, title: suiteTitle, group, profile, source, cells }
}

/** Runs with the most scored episodes first, then the newest. */
function byCompleteness(a: RunRow, b: RunRow): number {
  return (
    Number(b.headline !== null) - Number(a.headline !== null) ||
    b.coverage * b.planned - a.coverage * a.planned ||
    (a.created < b.created ? 1 : -1)
  )
}

/** The players of these rows: models, then humans, then baselines; within each, those with the most suites first. */
export function playersOf(rows: readonly MatrixRow[]): string[] {
  const suites = new Map<string, Set<string>>()
  for (const { suite, cells } of rows) {
    for (const player of cells.keys()) {
      const known = suites.get(player)
      if (known) known.add(suite)
      else suites.set(player, new Set([suite]))
    }
  }
  return [...suites]
    .sort(([a, inA], [b, inB]) => kindOf(a) - kindOf(b) || inB.size - inA.size || (a < b ? -1 : 1))
    .map(([player]) => player)
}

export function isBaseline(player: string): boolean {
  return player.startsWith('baseline/')
}

/** The runs shown in a row, one per player. */
export function shownRuns({ cells }: MatrixRow): RunRow[] {
  return [...cells.values()].flatMap(([run]) => (run?.headline ? [run] : []))
}

/** Whether all runs played the same samples to the end, so their scores are on the same samples already. */
export function haveSameSamples(runs: readonly RunRow[]): boolean {
  return runs.every(({ settings, coverage }) => settings === runs[0]!.settings && coverage === 1)
}

/** What the cell of a run says: all of it on the shared samples, or all of it on its own. */
export function cellOf(run: RunRow, shared: SharedDetail | null) {
  const report = shared?.runs.find(({ row }) => row.id === run.id)?.report
  if (report) return { ...report, headline: headlineOf(report) ?? null, usd: report.usage.usd }
  return { ...run, counted: Math.round(run.coverage * run.planned) }
}

function kindOf(player: string): number {
  if (isBaseline(player)) return 2
  return player.startsWith('human/') ? 1 : 0
}

function playerCount(runs: readonly RunRow[]): number {
  return new Set(runs.map(({ player }) => player)).size
}

function newest(runs: readonly RunRow[]): string {
  return runs.reduce((latest, { created }) => (created > latest ? created : latest), '')
}
