/** How a map follows a changed scene: is it right about what changed, and does it cling to what was? */
import { mean } from '../../../suite.ts'
import type { Change, Pose, Scene } from '../domain/grid/scene.ts'
import type { Profile } from '../domain/profile.ts'
import { AGENT, type BeliefMap, type MapEntry } from '../parse/maps.ts'
import { compareMaps, type CompareOptions, type MapMetrics, meanMetrics } from '../domain/belief/metrics.ts'
import { compareOptions } from '../domain/belief/probes.ts'
import type { Position } from '../domain/grid/frames.ts'
import { trueGlobalMap } from '../domain/belief/ground-truth.ts'

/** A number for what changed about an object, null for what did not. */
export interface ObjectScore {
  position: number | null
  facing: number | null
}

export interface RevisionTurn {
  /** By object that came into view for the first time since the change: is the new belief right? */
  changed: Record<string, ObjectScore>
  /** The same against the old belief: 1 is to cling to it. */
  retention: Record<string, ObjectScore>
  /** Where moved objects were believed, are believed now, and are. */
  moves: Record<string, { old: Position; now: Position; truth: Position }>
  /** Squared errors of unchanged things that came into view for the first time. */
  unchangedSquares: number[]
  /** Unchanged things against the old belief. */
  unchangedRetention: Record<string, ObjectScore>
  /** The map of all that has not changed, and the player. */
  unchanged: MapMetrics | null
}

export interface RevisionContext {
  /** The scene as it is now. */
  scene: Scene
  /** The scene as it was explored: gives the scale. */
  before: Scene
  pose: Pose
  changes: readonly Change[]
  /** The last map of the exploration. */
  oldBelief: BeliefMap
}

/** What came into view for the first time since the change. */
export interface NewlySeen {
  changed: readonly string[]
  unchanged: readonly string[]
}

const NO_SCORE: ObjectScore = { position: null, facing: null }

/** `map` holds everything that the reply believes, or is null when it could not be read. */
export function revisionTurn(
  map: BeliefMap | null,
  seen: NewlySeen,
  context: RevisionContext,
  profile: Profile,
): RevisionTurn {
  const turn: RevisionTurn = {
    changed: {},
    retention: {},
    moves: {},
    unchangedSquares: [],
    unchangedRetention: {},
    unchanged: null,
  }
  // The published code skips a turn without a map; an unread map knows nothing in `fixed`.
  if (map === null && profile === 'upstream') return turn
  const belief = map ?? []
  const how: CompareOptions = {
    ...compareOptions(context.scene, profile),
    scale: compareOptions(context.before, profile).scale,
  }
  const truth = trueGlobalMap(context, new Set(context.scene.order))
  const kinds = new Map(context.changes.map(({ name, kind }) => [name, kind]))
  for (const name of seen.changed) {
    const kind = kinds.get(name)
    const [now, is, old] = [find(belief, name), find(truth, name), find(context.oldBelief, name)]
    if (is === undefined) continue
    turn.changed[name] = scoreForChange(compareMaps(now ? [now] : [], [is], how), kind)
    turn.retention[name] = old ? scoreForChange(compareMaps(now ? [now] : [], [old], how), kind) : NO_SCORE
    if (kind === 'position' && now && old) turn.moves[name] = { old: old.pos, now: now.pos, truth: is.pos }
  }
  const fresh = new Set(seen.unchanged)
  for (const entry of belief) {
    const is = find(truth, entry.name)
    if (is === undefined || !fresh.has(entry.name)) continue
    turn.unchangedSquares.push((entry.pos[0] - is.pos[0]) ** 2 + (entry.pos[1] - is.pos[1]) ** 2)
  }
  for (const name of seen.unchanged) {
    const [now, old] = [find(belief, name), find(context.oldBelief, name)]
    if (now === undefined) continue
    const metrics = old ? compareMaps([now], [old], how) : null
    turn.unchangedRetention[name] = metrics ? { position: metrics.position, facing: metrics.facing } : NO_SCORE
  }
  const steady = truth.filter(({ name }) => name === AGENT || !kinds.has(name))
  turn.unchanged = compareMaps(belief, steady, how)
  return turn
}

function find(map: BeliefMap, name: string): MapEntry | undefined {
  return map.find((entry) => entry.name === name)
}

function scoreForChange({ position, facing }: MapMetrics, kind: Change['kind'] | undefined): ObjectScore {
  return {
    position: kind === 'position' ? position : null,
    facing: kind === 'orientation' ? facing : null,
  }
}

export interface RevisionMetrics {
  /** Belief correctness: of moved objects and of turned ones. */
  changed: ObjectScore
  /** Facing: orientation inertia. */
  retention: ObjectScore
  unchanged: MapMetrics | null
  unchangedRetention: ObjectScore
  /** Position inertia of each moved object, -1 … 1: 1 is to err towards the old belief. */
  inertias: number[]
  inertia: number | null
  /** How much less changed things are kept than unchanged ones: 1 - (changed / unchanged)². */
  selectivity: ObjectScore
}

const EPSILON = 1e-9

export function revisionMetrics(turns: readonly RevisionTurn[], profile: Profile): RevisionMetrics {
  const changed = meanOf(turns.flatMap((turn) => Object.values(turn.changed)))
  const retention = meanOf(turns.flatMap((turn) => Object.values(turn.retention)))
  const unchangedRetention = meanOf(turns.flatMap((turn) => Object.values(turn.unchangedRetention)))
  const squares = turns.flatMap(({ unchangedSquares }) => unchangedSquares)
  const spread = squares.length > 0 ? Math.sqrt(squares.reduce((sum, one) => sum + one, 0) / squares.length) : 1
  const inertias = turns.flatMap(({ moves }) =>
    Object.values(moves).flatMap((move) => inertiaOf(move, spread, profile)),
  )
  return {
    changed,
    retention,
    unchanged: meanMetrics(turns.flatMap(({ unchanged }) => (unchanged === null ? [] : [unchanged]))),
    unchangedRetention,
    inertias,
    inertia: mean(inertias, null),
    selectivity: {
      position: selectivity(retention.position, unchangedRetention.position),
      facing: selectivity(retention.facing, unchangedRetention.facing),
    },
  }
}

/**
 * The cosine between the error and the way back to the old belief, weighted by how near to the old belief the new one
 * is. A perfectly revised object has no error: the published code leaves it out, the paper and `fixed` count it as 0.
 */
function inertiaOf({ old, now, truth }: RevisionTurn['moves'][string], spread: number, profile: Profile): number[] {
  const back = [old[0] - truth[0], old[1] - truth[1]] as const
  const error = [now[0] - truth[0], now[1] - truth[1]] as const
  const [backLength, errorLength] = [Math.hypot(...back), Math.hypot(...error)]
  if (backLength < EPSILON) return []
  if (errorLength < EPSILON) return profile === 'upstream' ? [] : [0]
  const cosine = (error[0] * back[0] + error[1] * back[1]) / (errorLength * backLength + EPSILON)
  const apart = (now[0] - old[0]) ** 2 + (now[1] - old[1]) ** 2
  return [cosine * (spread > EPSILON ? Math.exp(-apart / (2 * spread * spread + EPSILON)) : 1)]
}

function selectivity(changed: number | null, unchanged: number | null): number | null {
  return changed === null || unchanged === null || unchanged === 0 ? null : 1 - (changed / unchanged) ** 2
}

function meanOf(objects: readonly ObjectScore[]): ObjectScore {
  return {
    position: mean(
      objects.flatMap(({ position }) => (position === null ? [] : [position])),
      null,
    ),
    facing: mean(
      objects.flatMap(({ facing }) => (facing === null ? [] : [facing])),
      null,
    ),
  }
}
