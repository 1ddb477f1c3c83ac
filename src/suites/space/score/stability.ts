/** Do beliefs about what is known already stay as they are, or get better, while exploration goes on? */
import { mean } from '../../../suite.ts'
import type { Scene, Vec } from '../domain/grid/scene.ts'
import { entityNamed } from '../domain/grid/view.ts'
import type { Profile } from '../domain/profile.ts'
import { type BeliefMap, type MapEntry } from '../parse/maps.ts'
import { inFrame } from '../domain/grid/frames.ts'

export interface StabilityTurn {
  /** The global map after the turn; null when it could not be read. */
  map: BeliefMap | null
  /** Names of everything observed up to this turn. */
  observed: ReadonlySet<string>
  /** In how many places each thing can be, given all observations so far. */
  candidates: ReadonlyMap<string, number>
}

export interface Stability {
  /** Share of known things whose place did not get worse; null when there is none to judge. */
  position: number | null
  facing: number | null
}

/** The published code lists at most this many places. */
const PUBLISHED_CAP = 200
/** Places are judged only where observation has not changed what is known by more than this. */
const MAX_NEWS = 1

/** One value for each pair of neighbouring turns. */
export function stabilityOf(scene: Scene, turns: readonly StabilityTurn[], profile: Profile): Stability[] {
  return turns.slice(1).map((now, i) => between(scene, turns[i]!, now, profile))
}

function between(scene: Scene, before: StabilityTurn, now: StabilityTurn, profile: Profile): Stability {
  const had = byName(before.map)
  const has = byName(now.map)
  const position: number[] = []
  const facing: number[] = []
  for (const name of before.observed) {
    const entity = entityNamed(scene, name)
    const old = had.get(name)
    if (entity === undefined || old === undefined) continue
    const current = has.get(name)
    // What was on the map and is forgotten counts against it in `fixed`, and not at all in the published code.
    if (current === undefined && profile === 'upstream') continue
    const truth = inFrame(entity.pos, scene.start.pos, [0, 1])
    if (little(before, now, name, profile)) {
      position.push(current !== undefined && distance(current, truth) <= distance(old, truth) ? 1 : 0)
    }
    if (entity.kind === 'object' && entity.oriented) {
      facing.push(current === undefined ? 0 : facingHeld(old, current, entity.heading))
    }
  }
  return { position: mean(position, null), facing: mean(facing, null) }
}

function byName(map: BeliefMap | null): ReadonlyMap<string, MapEntry> {
  return new Map((map ?? []).map((entry) => [entry.name, entry]))
}

/** Has observation added little about this thing? */
function little(before: StabilityTurn, now: StabilityTurn, name: string, profile: Profile): boolean {
  const [was, is] = [before.candidates.get(name), now.candidates.get(name)]
  if (was === undefined || is === undefined) return false
  const cap = profile === 'upstream' ? PUBLISHED_CAP : Infinity
  return Math.abs(Math.min(was, cap) - Math.min(is, cap)) <= MAX_NEWS
}

function distance({ pos }: MapEntry, truth: readonly [number, number]): number {
  return Math.hypot(pos[0] - truth[0], pos[1] - truth[1])
}

function same(a: Vec | null, b: Vec | null): boolean {
  return a === b || (a !== null && b !== null && a[0] === b[0] && a[1] === b[1])
}

/** From wrong to right is good, from right to wrong is not, and otherwise it should stay. */
function facingHeld(old: MapEntry, current: MapEntry, truth: Vec): number {
  if (same(current.facing, truth)) return 1
  return same(old.facing, current.facing) ? 1 : 0
}
