import { footprint, type FreeSpace } from '../geometry/free-space.ts'
import { distanceField, type Grid } from '../geometry/grid.ts'
import { regionsOf } from '../geometry/regions.ts'
import type { TriangleMesh } from '../mesh.ts'

export interface ViewpointOptions {
  /** How far the camera still shows a small thing well, in meters. Default 2.5. */
  sightMeters?: number
  /** How much of what can be seen must be seen. Default 0.97. */
  coverage?: number
}

export interface Viewpoints {
  /** Cells to look around from, the most telling first. */
  cells: readonly number[]
  /** Part of the floor that is seen from them, of all that could be. */
  coverage: number
}

/** Places to stand and spots to see are taken this far apart. */
const CANDIDATE_METERS = 0.5
const TARGET_METERS = 0.25
/** Farther apart where there would be more: every place is compared with every spot. */
const MOST_CANDIDATES = 4000
const MOST_TARGETS = 16_000
/** A tour of more stops would last for an hour. */
const MOST_STOPS = 100
/** Only what reaches this high hides what is behind it from a standing person. */
const HIDES_FROM = 1.3
const HIDES_TO = 1.7
/** A viewpoint that adds less than this part of the floor is not worth the walk. */
const MIN_GAIN = 0.005
/** Beyond this a place is as good as any: nobody stands right at the wall to film. */
const COMFORT_METERS = 0.8
/** Doors are narrower than this, rooms wider. */
const DOOR_METERS = 1.2
/** Middles of rooms, less the margin along the walls, that are smaller than this need no visit of their own. */
const ROOM_SQUARE_METERS = 0.3

/** Few places from which the whole floor is seen: the rooms' middles, then greedily each time the one that shows most of what is left. */
export function chooseViewpoints(mesh: TriangleMesh, space: FreeSpace, options: ViewpointOptions = {}): Viewpoints {
  const { sightMeters = 2.5, coverage = 0.97 } = options
  const { grid, floor, supported } = space
  const hides = footprint(mesh, grid, floor + HIDES_FROM, floor + HIDES_TO)
  const region = regionsOf(space)
  const candidates = spaced(space, CANDIDATE_METERS, MOST_CANDIDATES, (cell) => region.of[cell] === 1)
  const targets = spaced(space, TARGET_METERS, MOST_TARGETS, (cell) => supported[cell] === 1 && hides[cell] === 0)

  const lookFrom = (place: number) => {
    const list: number[] = []
    targets.forEach((target, at) => {
      if (inSight(grid, hides, place, target, sightMeters)) list.push(at)
    })
    return list
  }
  const sees = candidates.map(lookFrom)
  const coverable = new Set(sees.flat()).size
  const seen = new Uint8Array(targets.length)
  /** Marks what is seen and gives how much of it is new. */
  const note = (list: readonly number[]): number => {
    let fresh = 0
    for (const target of list) {
      fresh += 1 - seen[target]!
      seen[target] = 1
    }
    return fresh
  }
  const chosen = roomMiddles(space, hides, region.of)
  let count = 0
  for (const cell of chosen) count += note(lookFrom(cell))
  while (count < coverage * coverable && chosen.length < MOST_STOPS) {
    let best = -1
    let most = 0
    sees.forEach((list, candidate) => {
      let gain = 0
      for (const target of list) gain += 1 - seen[target]!
      // Among equals, where there is room around.
      const room = Math.min(COMFORT_METERS, space.clearance[candidates[candidate]!]!) / COMFORT_METERS
      const worth = gain * (0.7 + 0.3 * room)
      if (gain >= MIN_GAIN * coverable && worth > most) {
        most = worth
        best = candidate
      }
    })
    if (best === -1) break
    chosen.push(candidates[best]!)
    count += note(sees[best]!)
  }
  return { cells: chosen, coverage: coverable === 0 ? 0 : Math.min(1, count / coverable) }
}

/**
 * The place with most room around in every room: one can see into a room from its door, but a person goes in. Rooms
 * are what is left of the floor when doors are too narrow to count.
 */
function roomMiddles(space: FreeSpace, hides: Uint8Array, region: Uint16Array): number[] {
  const { grid, supported, clearance } = space
  const wall = hides.map((hidden, cell) => (hidden === 1 || supported[cell] === 0 ? 1 : 0))
  const toWall = distanceField(grid, wall)
  const wide = Uint8Array.from(toWall, (meters) => (meters > DOOR_METERS / 2 ? 1 : 0))
  const rooms = regionsOf({ grid, walkable: wide })
  const best = new Map<number, number>()
  for (let cell = 0; cell < rooms.of.length; cell++) {
    const room = rooms.of[cell]!
    if (room === 0 || region[cell] !== 1) continue
    if (rooms.sizes[room - 1]! * grid.cell ** 2 < ROOM_SQUARE_METERS) continue
    const held = best.get(room)
    if (held === undefined || clearance[cell]! > clearance[held]!) best.set(room, cell)
  }
  return [...best.values()].sort((a, b) => a - b)
}

/** Whether nothing tall stands on the straight line between two cells that are near enough. */
function inSight({ columns, cell }: Grid, hides: Uint8Array, from: number, to: number, reach: number): boolean {
  const r0 = Math.floor(from / columns)
  const c0 = from - r0 * columns
  const r1 = Math.floor(to / columns)
  const dr = r1 - r0
  const dc = to - r1 * columns - c0
  if ((dr * dr + dc * dc) * cell * cell > reach * reach) return false
  const steps = Math.max(Math.abs(dr), Math.abs(dc))
  for (let i = 0; i <= steps; i++) {
    const t = steps === 0 ? 0 : i / steps
    if (hides[Math.round(r0 + dr * t) * columns + Math.round(c0 + dc * t)] === 1) return false
  }
  return true
}

/** Cells with the property, at most one in each square of the given side: the one with most room around. */
function spaced(
  { grid, clearance }: FreeSpace,
  meters: number,
  most: number,
  wanted: (cell: number) => boolean,
): number[] {
  for (let side = Math.max(1, Math.round(meters / grid.cell)); ; side *= 2) {
    const across = Math.ceil(grid.columns / side)
    const best = new Map<number, number>()
    for (let cell = 0; cell < grid.columns * grid.rows; cell++) {
      if (!wanted(cell)) continue
      const row = Math.floor(cell / grid.columns)
      const square = Math.floor(row / side) * across + Math.floor((cell - row * grid.columns) / side)
      const held = best.get(square)
      if (held === undefined || clearance[cell]! > clearance[held]!) best.set(square, cell)
    }
    if (best.size <= most) return [...best.values()].sort((a, b) => a - b)
  }
}
