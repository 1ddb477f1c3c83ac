/** Runs as a matrix: a row per suite and configuration, a column per player. */
import { groupBy } from '../../../../src/base/group.ts'
import type { RunRow } from '../../../../src/server/api.ts'

export interface MatrixRow {
  suite: string
  title: string
  settings: string
  profile: string
  source: string
  planned: number
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
  players: readonly string[]
  suites: readonly SuiteRows[]
}

export function matrixOf(runs: readonly RunRow[]): Matrix {
  const suites = [...groupBy(runs, ({ suite }) => suite)].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    players: playersOf(runs),
    suites: suites.map(([suite, ofSuite]) => ({
      suite,
      title: ofSuite[0]!.suiteTitle,
      rows: [...groupBy(ofSuite, ({ settings }) => settings).values()]
        .sort((a, b) => playerCount(b) - playerCount(a) || (newest(a) < newest(b) ? 1 : -1))
        .map(rowOf),
    })),
  }
}

function rowOf(runs: readonly RunRow[]): MatrixRow {
  const { suite, suiteTitle, settings, profile, source, planned } = runs[0]!
  const cells = groupBy(runs, ({ player }) => player)
  for (const ofPlayer of cells.values()) ofPlayer.sort(byCompleteness)
  return { suite, title: suiteTitle, settings, profile, source, planned, cells }
}

/** Complete runs first, then the newest. */
function byCompleteness(a: RunRow, b: RunRow): number {
  return (
    Number(b.headline !== null) - Number(a.headline !== null) ||
    b.coverage - a.coverage ||
    (a.created < b.created ? 1 : -1)
  )
}

/** Models, then humans, then baselines; within each, those with the most suites first. */
function playersOf(runs: readonly RunRow[]): string[] {
  const suites = new Map<string, Set<string>>()
  for (const { player, suite } of runs) {
    const known = suites.get(player)
    if (known) known.add(suite)
    else suites.set(player, new Set([suite]))
  }
  return [...suites]
    .sort(([a, inA], [b, inB]) => kindOf(a) - kindOf(b) || inB.size - inA.size || (a < b ? -1 : 1))
    .map(([player]) => player)
}

function kindOf(player: string): number {
  if (player.startsWith('baseline/')) return 2
  return player.startsWith('human/') ? 1 : 0
}

function playerCount(runs: readonly RunRow[]): number {
  return new Set(runs.map(({ player }) => player)).size
}

function newest(runs: readonly RunRow[]): string {
  return runs.reduce((latest, { created }) => (created > latest ? created : latest), '')
}
