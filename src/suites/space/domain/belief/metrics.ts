/** Compares maps with the ground truth. */
import { mean, memoized } from '../../../../suite.ts'
import { bearingOfOffset, cardinalBin } from '../grid/relations.ts'
import { NORTH, type Scene } from '../grid/scene.ts'
import { START } from '../grid/view.ts'
import type { Profile } from '../profile.ts'
import type { BeliefMap, MapEntry } from '../../parse/maps.ts'
import type { Position } from '../grid/frames.ts'

/** All in [0, 1]. */
export interface MapMetrics {
  /** Fraction of pairs, origin included, with the right cardinal direction. */
  direction: number
  /** Fraction of objects with a front that face the right way. */
  facing: number
  /** Fraction of entries present, times exp(−RMS error / scale of the scene). */
  position: number
  overall: number
}

export const ZERO_METRICS: MapMetrics = { direction: 0, facing: 0, position: 0, overall: 0 }
export const PERFECT_METRICS: MapMetrics = { direction: 1, facing: 1, position: 1, overall: 1 }

/** RMS distance of the objects from the start: the length scale of position errors. */
export const mapScale = memoized(({ start, objects }: Scene): number => {
  let sum = 0
  for (const { pos } of objects) sum += (pos[0] - start.pos[0]) ** 2 + (pos[1] - start.pos[1]) ** 2
  return sum > 0 ? Math.sqrt(sum / objects.length) : 1
})

export interface CompareOptions {
  scale: number
  /** Names whose facing is ignored. */
  doors: ReadonlySet<string>
  profile: Profile
}

/** Compares a belief with a reference map. Entries that the reference does not have are ignored. */
export function compareMaps(belief: BeliefMap, truth: BeliefMap, how: CompareOptions): MapMetrics {
  const believed = new Map(belief.map((entry) => [entry.name, entry]))
  const direction = directionShare(believed, truth, how.profile)
  const facing = facingShare(believed, truth, how.doors)
  const position = positionScore(believed, truth, how.scale)
  return { direction, facing, position, overall: (direction + facing + position) / 3 }
}

/** The start takes part in pairs under this name, which determines its place in their order. */
const ORIGIN = { name: START, here: [0, 0], there: [0, 0] } as const

interface Pairable {
  name: string
  here: Position
  there: Position | undefined
}

/** Pairs are ordered by name, which only matters for coincident points. */
function directionShare(believed: ReadonlyMap<string, MapEntry>, truth: BeliefMap, profile: Profile): number {
  const all: Pairable[] = [
    ...truth.map(({ name, pos }) => ({ name, here: pos, there: believed.get(name)?.pos })),
    ORIGIN,
  ].sort((a, b) => (a.name < b.name ? -1 : 1))
  let right = 0
  let pairs = 0
  for (let i = 0; i < all.length; i++) {
    const a = all[i]!
    for (let j = i + 1; j < all.length; j++) {
      const b = all[j]!
      pairs += 1
      if (a.there === undefined || b.there === undefined) continue
      if (binOf(b.there, a.there, profile) === binOf(b.here, a.here, profile)) right += 1
    }
  }
  return pairs === 0 ? 1 : right / pairs
}

const SAME_POINT = -1

/** Coincident points are north of each other in the published code, and in no direction in `fixed`. */
function binOf(from: Position, to: Position, profile: Profile): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  if (profile === 'fixed' && dx === 0 && dy === 0) return SAME_POINT
  return cardinalBin(bearingOfOffset(dx, dy, NORTH))
}

function facingShare(believed: ReadonlyMap<string, MapEntry>, truth: BeliefMap, doors: ReadonlySet<string>): number {
  let right = 0
  let count = 0
  for (const { name, facing } of truth) {
    if (facing === null || doors.has(name)) continue
    count += 1
    const entry = believed.get(name)?.facing
    if (entry && entry[0] === facing[0] && entry[1] === facing[1]) right += 1
  }
  return count === 0 ? 1 : right / count
}

function positionScore(believed: ReadonlyMap<string, MapEntry>, truth: BeliefMap, scale: number): number {
  if (truth.length === 0) return 1
  let matched = 0
  let square = 0
  for (const { name, pos } of truth) {
    const entry = believed.get(name)
    if (entry === undefined) continue
    matched += 1
    square += (entry.pos[0] - pos[0]) ** 2 + (entry.pos[1] - pos[1]) ** 2
  }
  return matched === 0 ? 0 : (matched / truth.length) * Math.exp(-Math.sqrt(square / matched) / scale)
}

/** Mean per field; null for an empty list. */
export function meanMetrics(all: readonly MapMetrics[]): MapMetrics | null {
  if (all.length === 0) return null
  return {
    direction: mean(all.map(({ direction }) => direction)),
    facing: mean(all.map(({ facing }) => facing)),
    position: mean(all.map(({ position }) => position)),
    overall: mean(all.map(({ overall }) => overall)),
  }
}
