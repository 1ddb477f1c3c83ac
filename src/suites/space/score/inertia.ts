/** How a map adapts to a changed scene: correctness about changed objects, and inertia toward the old belief. */
import { type JsonObject, mean } from '../../../suite.ts'
import type { Change, Pose, Scene } from '../domain/grid/scene.ts'
import type { Profile } from '../domain/profile.ts'
import { AGENT, type BeliefMap, type MapEntry, rawEntry } from '../parse/maps.ts'
import { compareMaps, type CompareOptions, type MapMetrics, meanMetrics } from '../domain/belief/metrics.ts'
import { compareOptions } from '../domain/belief/probes.ts'
import type { Position } from '../domain/grid/frames.ts'
import { trueGlobalMap } from '../domain/belief/ground-truth.ts'

/** Scores for the changed property of an object; null for the unchanged one. */
export interface ObjectScore {
  position: number | null
  facing: number | null
}

export interface RevisionTurn {
  /** Correctness of the new belief, for each changed object seen for the first time since the change. */
  changed: Record<string, ObjectScore>
  /** The same against the old belief: 1 means that it was kept. */
  retention: Record<string, ObjectScore>
  /** Old, new and true positions of moved objects. */
  moves: Record<string, { old: Position; now: Position; truth: Position }>
  /** Squared errors of unchanged entities seen for the first time since the change. */
  unchangedSquares: number[]
  /** Unchanged entities against the old belief. */
  unchangedRetention: Record<string, ObjectScore>
  /** The map of everything unchanged, and the player. */
  unchanged: MapMetrics | null
}

export interface RevisionContext {
  /** The changed scene. */
  scene: Scene
  /** The original scene, which defines the length scale. */
  before: Scene
  pose: Pose
  changes: readonly Change[]
  /** The last readable map of the first exploration. */
  oldBelief: BeliefMap
  /** The last reply with a map before the change, as parsed: profile `upstream` looks objects up in it by name. */
  oldJson: JsonObject | null
}

/** Names seen for the first time since the change. */
export interface NewlySeen {
  changed: readonly string[]
  unchanged: readonly string[]
}

const NO_SCORE: ObjectScore = { position: null, facing: null }

/** `map` is null if the reply could not be parsed. */
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
  // The published code skips a turn without a map; in `fixed`, an unreadable map counts as empty.
  if (map === null && profile === 'upstream') return turn
  const belief = map ?? []
  const oldOf = (name: string): { entry: MapEntry | null; pos: Position | null } => {
    if (profile === 'upstream') return rawEntry(context.oldJson, name) ?? { entry: null, pos: null }
    const entry = find(context.oldBelief, name) ?? null
    return { entry, pos: entry?.pos ?? null }
  }
  const how: CompareOptions = {
    ...compareOptions(context.scene, profile),
    scale: compareOptions(context.before, profile).scale,
  }
  const truth = trueGlobalMap(context, new Set(context.scene.order))
  const kinds = new Map(context.changes.map(({ name, kind }) => [name, kind]))
  for (const name of seen.changed) {
    const kind = kinds.get(name)
    const [now, is, old] = [find(belief, name), find(truth, name), oldOf(name)]
    if (is === undefined) continue
    turn.changed[name] = scoreForChange(compareMaps(now ? [now] : [], [is], how), kind)
    turn.retention[name] = old.entry ? scoreForChange(compareMaps(now ? [now] : [], [old.entry], how), kind) : NO_SCORE
    if (kind === 'position' && now && old.pos) turn.moves[name] = { old: old.pos, now: now.pos, truth: is.pos }
  }
  const steady = truth.filter(({ name }) => name === AGENT || !kinds.has(name))
  // The published code compares nothing if everything has changed.
  if (steady.length === 1 && profile === 'upstream') return turn
  const fresh = new Set(seen.unchanged)
  for (const entry of belief) {
    const is = find(truth, entry.name)
    if (is === undefined || !fresh.has(entry.name)) continue
    turn.unchangedSquares.push((entry.pos[0] - is.pos[0]) ** 2 + (entry.pos[1] - is.pos[1]) ** 2)
  }
  for (const name of seen.unchanged) {
    const [now, old] = [find(belief, name), oldOf(name).entry]
    if (now === undefined) continue
    const metrics = old ? compareMaps([now], [old], how) : null
    turn.unchangedRetention[name] = metrics ? { position: metrics.position, facing: metrics.facing } : NO_SCORE
  }
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
  /** Belief correctness for moved and turned objects. */
  changed: ObjectScore
  /** The facing part is the orientation inertia. */
  retention: ObjectScore
  unchanged: MapMetrics | null
  unchangedRetention: ObjectScore
  /** Position inertia of each moved object, −1 to 1; 1 means an error toward the old belief. */
  inertias: number[]
  inertia: number | null
  /** How much less changed entities are retained than unchanged ones: 1 − (changed / unchanged)². */
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
 * The cosine between the error and the direction to the old belief, weighted by how close the new belief is to the old
 * one. A perfectly revised object has no error: the published code leaves it out, the paper and `fixed` count it as 0.
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
