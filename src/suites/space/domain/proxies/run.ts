/**
 * Proxy agents: scripted explorers whose logs passive players read. They also explore for some baselines.
 *
 * @example
 * runProxy('scout', scene, 'fixed').history // '1. Actions: [Observe()]. You observe: …\n2. …'
 */
import type { ActionCounts } from '../explore/exploration.ts'
import type { PositionSolver } from '../explore/solver.ts'
import type { Scene } from '../grid/scene.ts'
import { entityNamed } from '../grid/view.ts'
import type { Profile } from '../profile.ts'
import { oracleRoom } from './oracle.ts'
import { strategistRoom } from './strategist.ts'
import { sweep } from './sweep.ts'
import { type ProxyTurn, Walk } from './walk.ts'

export const PROXY_NAMES = ['scout', 'strategist', 'oracle'] as const
export type ProxyName = (typeof PROXY_NAMES)[number]

export interface ProxyRun {
  name: ProxyName
  turns: readonly ProxyTurn[]
  /** The turns as numbered lines, for the prompt of a passive player. */
  history: string
  cost: number
  counts: ActionCounts
  nodeCoverage: number
  edgeCoverage: number
  /** Information level after each turn but the last, which only ends the walk. */
  levels: readonly number[]
}

const ROOM_PLANS: Readonly<Record<ProxyName, (walk: Walk) => void>> = {
  scout: sweep,
  strategist: strategistRoom,
  oracle: oracleRoom,
}

export function runProxy(name: ProxyName, scene: Scene, profile: Profile): ProxyRun {
  const walk = new Walk(scene, profile)
  walk.visitRooms(() => ROOM_PLANS[name](walk))
  // The published query step simulates a Query that always fails, so it never queries.
  if (name !== 'scout' && profile === 'fixed') queryUncertain(walk)
  walk.end()
  const counts = walk.counts
  // Two published agents wrap a third and count its Term() in addition to their own.
  if (name !== 'scout' && profile === 'upstream') counts.term += 1
  return {
    name,
    turns: walk.turns,
    history: walk.lines.join('\n'),
    cost: walk.cost,
    counts,
    nodeCoverage: walk.progress.coverage.nodeCoverage,
    edgeCoverage: walk.progress.coverage.edgeCoverage,
    levels: walk.levels,
  }
}

const MAX_QUERIES = 16
/** Number of nodes to try queries on, the least certain first. */
const MAX_TRIED = 20

/** Queries the entity that narrows all position domains most, until everything is certain. */
function queryUncertain(walk: Walk): void {
  const { solver } = walk.progress
  for (let queries = 0; queries < MAX_QUERIES; queries++) {
    const name = bestQuery(walk, solver)
    if (name === undefined) return
    walk.query(name)
  }
}

function bestQuery(walk: Walk, solver: PositionSolver): string | undefined {
  const { scene } = walk
  const uncertain = scene.order
    .filter((name) => walk.observed.has(name) && (solver.size(name) ?? 0) > 1)
    .toSorted((a, b) => (solver.size(b) ?? 0) - (solver.size(a) ?? 0))
    .slice(0, MAX_TRIED)
  const total = solver.totalSize()
  let best: string | undefined
  let most = 0
  for (const name of uncertain) {
    const entity = entityNamed(scene, name)
    if (entity === undefined) continue
    const trial = solver.clone()
    trial.locate(name, [entity.pos[0] - scene.start.pos[0], entity.pos[1] - scene.start.pos[1]])
    const gain = total - trial.totalSize()
    if (gain > most) {
      most = gain
      best = name
    }
  }
  return best
}
