/** Stability: do beliefs about known entities stay the same or improve during exploration? */
import { mean } from '../../../suite.ts'
import type { Scene, Vec } from '../domain/grid/scene.ts'
import { entityNamed } from '../domain/grid/view.ts'
import type { Profile } from '../domain/profile.ts'
import { type BeliefMap, type MapEntry } from '../parse/maps.ts'
import { toFrame } from '../domain/grid/frames.ts'

export interface StabilityTurn {
  /** The global map after the turn; null if it could not be parsed. */
  map: BeliefMap | null
  /** Names of everything observed up to this turn. */
  observed: ReadonlySet<string>
  /** Number of possible positions of each entity, given all observations so far. */
  candidates: ReadonlyMap<string, number>
}

export interface Stability {
  /** Fraction of known entities whose position did not get worse; null if there are none. */
  position: number | null
  facing: number | null
}

/** The published code lists at most this many positions. */
const PUBLISHED_CAP = 200
/** A position is only scored if its number of candidates changed by at most this much. */
const MAX_CANDIDATE_CHANGE = 1

/** The published code knows doors by their name. */
const PUBLISHED_DOORS = /door|gate/i

/** One value for each pair of consecutive turns. */
export function stabilityOf(scene: Scene, turns: readonly StabilityTurn[], profile: Profile): Stability[] {
  return turns.slice(1).map((now, i) => compareTurns(scene, turns[i]!, now, profile))
}

function compareTurns(scene: Scene, before: StabilityTurn, now: StabilityTurn, profile: Profile): Stability {
  const had = byName(before.map)
  const has = byName(now.map)
  const position: number[] = []
  const facing: number[] = []
  for (const name of before.observed) {
    const entity = entityNamed(scene, name)
    const old = had.get(name)
    if (entity === undefined || old === undefined) continue
    const current = has.get(name)
    // An entity that disappears from the map counts as unstable in `fixed`; the published code skips it.
    if (current === undefined && profile === 'upstream') continue
    const truth = toFrame(entity.pos, scene.start.pos, [0, 1])
    if (isLittleChanged(before, now, name, profile)) {
      position.push(current !== undefined && distance(current, truth) <= distance(old, truth) ? 1 : 0)
    }
    if (entity.kind === 'object' && entity.oriented && !(profile === 'upstream' && PUBLISHED_DOORS.test(name))) {
      facing.push(current === undefined ? 0 : facingHeld(old, current, entity.heading))
    }
  }
  return { position: mean(position, null), facing: mean(facing, null) }
}

function byName(map: BeliefMap | null): ReadonlyMap<string, MapEntry> {
  return new Map((map ?? []).map((entry) => [entry.name, entry]))
}

/** Have observations changed little about this entity? */
function isLittleChanged(before: StabilityTurn, now: StabilityTurn, name: string, profile: Profile): boolean {
  const [was, is] = [before.candidates.get(name), now.candidates.get(name)]
  if (was === undefined || is === undefined) return false
  const cap = profile === 'upstream' ? PUBLISHED_CAP : Infinity
  return Math.abs(Math.min(was, cap) - Math.min(is, cap)) <= MAX_CANDIDATE_CHANGE
}

function distance({ pos }: MapEntry, truth: readonly [number, number]): number {
  return Math.hypot(pos[0] - truth[0], pos[1] - truth[1])
}

function same(a: Vec | null, b: Vec | null): boolean {
  return a === b || (a !== null && b !== null && a[0] === b[0] && a[1] === b[1])
}

/** 1 if the facing is right, or unchanged. */
function facingHeld(old: MapEntry, current: MapEntry, truth: Vec): number {
  if (same(current.facing, truth)) return 1
  return same(old.facing, current.facing) ? 1 : 0
}
