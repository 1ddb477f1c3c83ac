/** Scores of the global and local maps of a player, and their consistency. */
import { NORTH, type Scene } from '../grid/scene.ts'
import { visibleEntities } from '../grid/view.ts'
import type { Profile } from '../profile.ts'
import { AGENT, type BeliefMap, type MapContext, readGlobalMap, readLocalMap } from '../../parse/maps.ts'
import { readMapJson } from '../../parse/map-json.ts'
import {
  compareMaps,
  type CompareOptions,
  PERFECT_METRICS,
  type MapMetrics,
  mapScale,
  ZERO_METRICS,
} from './metrics.ts'
import { toFrame } from '../grid/frames.ts'
import { trueGlobalMap, trueLocalMap } from './ground-truth.ts'

export interface GlobalScore {
  /** Null if the reply has no map. */
  map: BeliefMap | null
  /** Against everything observed, and the player. Null is left out of means; never null under `fixed`. */
  observed: MapMetrics | null
  /** Against the whole scene, and the player. */
  full: MapMetrics | null
  /** Against the player only. */
  agent: MapMetrics | null
}

export interface LocalScore {
  map: BeliefMap | null
  /** Against everything in view; null if nothing is. */
  all: MapMetrics | null
  /** Against everything seen for the first time; null if there was nothing new. */
  newly: MapMetrics | null
}

export function compareOptions(scene: Scene, profile: Profile): CompareOptions {
  return { scale: mapScale(scene), doors: new Set(facingless(scene, profile)), profile }
}

/** Entities whose facing is not scored: doors, and in the published code everything with "door" in its name. */
function facingless(scene: Scene, profile: Profile): readonly string[] {
  if (profile === 'upstream') return scene.order.filter((name) => name.toLowerCase().includes('door'))
  return scene.doors.map(({ name }) => name)
}

/** Profile `upstream` leaves a turn without a readable map out of all means; `fixed` scores it 0. */
export function scoreGlobalMap(reply: string, context: MapContext, profile: Profile): GlobalScore {
  const json = readMapJson(reply, profile)
  if (json === null) {
    const nothing = profile === 'upstream' ? null : ZERO_METRICS
    return { map: null, observed: nothing, full: nothing, agent: nothing }
  }
  const map = readGlobalMap(json, context, profile)
  const how = compareOptions(context.scene, profile)
  const everything = new Set(context.scene.order)
  return {
    map,
    observed: compareMaps(map, trueGlobalMap(context, context.observed), how),
    full: compareMaps(map, trueGlobalMap(context, everything), how),
    agent: compareMaps(map, trueGlobalMap(context, new Set()), how),
  }
}

/** `fresh` are the names seen for the first time in this turn. */
export function scoreLocalMap(
  reply: string,
  context: MapContext,
  fresh: ReadonlySet<string>,
  profile: Profile,
): LocalScore {
  const truth = trueLocalMap(context)
  const freshTruth = truth.filter(({ name }) => fresh.has(name))
  const json = readMapJson(reply, profile)
  if (json === null) {
    if (profile === 'upstream') return { map: null, all: null, newly: null }
    return {
      map: null,
      all: truth.length > 0 ? ZERO_METRICS : null,
      newly: freshTruth.length > 0 ? ZERO_METRICS : null,
    }
  }
  const map = readLocalMap(json, context, profile)
  const how = compareOptions(context.scene, profile)
  return {
    map,
    all: truth.length > 0 ? compareMaps(map, truth, how) : null,
    newly: freshTruth.length > 0 ? compareMaps(map, freshTruth, how) : null,
  }
}

/**
 * Agreement of the local and the global map of a turn, with the global map viewed from where it puts the player. Null if
 * one of them is missing or the global map has no player (`fixed`: 0).
 */
export function scoreConsistency(
  local: LocalScore,
  global: GlobalScore,
  context: MapContext,
  profile: Profile,
): MapMetrics | null {
  const failure = profile === 'upstream' || local.all === null ? null : ZERO_METRICS
  if (local.map === null || global.map === null || local.all === null) return failure
  const agent = global.map.find(({ name }) => name === AGENT)
  if (agent === undefined) return failure
  // In the published code, a player without a facing looks north.
  const heading = agent.facing ?? NORTH
  if (profile === 'fixed' && agent.facing === null) return ZERO_METRICS
  const seen = global.map.map((entry) => ({ ...entry, pos: toFrame(entry.pos, agent.pos, heading) }))
  return profile === 'upstream'
    ? publishedConsistency(local.map, seen, compareOptions(context.scene, profile))
    : fixedConsistency(local.map, seen, context)
}

/** Compares only names in both maps; an empty local map agrees with everything. */
function publishedConsistency(local: BeliefMap, seen: BeliefMap, how: CompareOptions): MapMetrics {
  if (local.length === 0) return PERFECT_METRICS
  const names = new Set(local.map(({ name }) => name))
  const common = seen.filter(({ name }) => names.has(name))
  return common.length === 0 ? ZERO_METRICS : compareMaps(local, common, how)
}

/** Compares everything in view: an entity missing from either map is inconsistent. */
function fixedConsistency(local: BeliefMap, seen: BeliefMap, { scene, pose }: MapContext): MapMetrics {
  const inSight = visibleEntities(scene, pose)
  const known = seen.filter(({ name }) => inSight.some((entity) => entity.name === name))
  if (known.length === 0) return ZERO_METRICS
  const metrics = compareMaps(local, known, compareOptions(scene, 'fixed'))
  // Entities missing from the global map lower every metric in proportion.
  const share = known.length / inSight.length
  return {
    direction: metrics.direction * share,
    facing: metrics.facing * share,
    position: metrics.position * share,
    overall: metrics.overall * share,
  }
}
