/** Parts of a room's rectangle that belong to the building: with one in a corner it is L-shaped, with two it has a niche. */
import type { Random } from '../../base/random.ts'
import { type SceneDoor, type SceneRoom, type SceneWindow, type Side, toMillimetres } from './scene.ts'
import { doorsOn, SIDES, sidePlane } from './sides.ts'

export interface Block {
  x: [number, number]
  y: [number, number]
}

/** Square meters of floor. */
export function roomArea({ x, y, blocks = [] }: Pick<SceneRoom, 'x' | 'y' | 'blocks'>): number {
  return areaOf({ x, y }) - blocks.reduce((sum, block) => sum + areaOf(block), 0)
}

const areaOf = ({ x, y }: Pick<SceneRoom, 'x' | 'y'>): number => (x[1] - x[0]) * (y[1] - y[0])

/** The outline of the floor, counterclockwise. */
export function outlineOf({ x, y, blocks = [] }: SceneRoom): (readonly [number, number])[] {
  const cuts = (ends: readonly number[]): number[] => [...new Set(ends)].sort((a, b) => a - b)
  const xs = cuts([...x, ...blocks.flatMap((block) => block.x)])
  const ys = cuts([...y, ...blocks.flatMap((block) => block.y)])
  const isFloor = (i: number, j: number): boolean =>
    i >= 0 &&
    j >= 0 &&
    i + 1 < xs.length &&
    j + 1 < ys.length &&
    !blocks.some((b) => b.x[0] <= xs[i]! && b.x[1] >= xs[i + 1]! && b.y[0] <= ys[j]! && b.y[1] >= ys[j + 1]!)
  // Each edge of floor with none beyond it leads to the next corner.
  const next = new Map<string, readonly [number, number]>()
  for (let i = 0; i + 1 < xs.length; i++) {
    for (let j = 0; j + 1 < ys.length; j++) {
      if (!isFloor(i, j)) continue
      if (!isFloor(i, j - 1)) next.set(`${i},${j}`, [i + 1, j])
      if (!isFloor(i + 1, j)) next.set(`${i + 1},${j}`, [i + 1, j + 1])
      if (!isFloor(i, j + 1)) next.set(`${i + 1},${j + 1}`, [i, j + 1])
      if (!isFloor(i - 1, j)) next.set(`${i},${j + 1}`, [i, j])
    }
  }
  const start = [...next.values()][0]!
  const corners: (readonly [number, number])[] = []
  let at = start
  do {
    corners.push(at)
    at = next.get(at.join(','))!
  } while (at[0] !== start[0] || at[1] !== start[1])
  return corners
    .filter(([i, j], k) => {
      const [before, after] = [corners.at(k - 1)!, corners[(k + 1) % corners.length]!]
      return !((before[0] === i && after[0] === i) || (before[1] === j && after[1] === j))
    })
    .map(([i, j]) => [xs[i]!, ys[j]!])
}

/** How often a room that is large enough is more than a rectangle. */
const CHANCE = 0.5
const LEAST_SIDE = 3.2
/** A room keeps at least this width beside a block. */
const LEAST_LEFT = 2.1

/** Blocks in corners and on walls, clear of doors and windows. */
export function drawBlocks(
  room: SceneRoom,
  doors: readonly SceneDoor[],
  windows: readonly SceneWindow[],
  random: Random,
): Block[] {
  const [wide, deep] = [room.x[1] - room.x[0], room.y[1] - room.y[0]]
  if (room.kind === 'class room' || Math.min(wide, deep) < LEAST_SIDE || !random.chance(CHANCE)) return []
  const openings = SIDES.flatMap((side) => [
    ...doorsOn(room, side, doors).map(({ along, width }) => strip(room, side, along, width + 0.4, 1.4)),
    ...windows
      .filter((window) => window.room === room.id && window.side === side)
      .map(({ along, width }) => strip(room, side, along, width + 0.5, 0.9)),
  ])
  const free = (block: Block): boolean => openings.every((opening) => !touches(block, opening))
  const within = (most: number, share: number): number =>
    toMillimetres(Math.min(most - LEAST_LEFT, random.range(0.5, Math.max(0.6, most * share))))
  const corner = (east: boolean, north: boolean, w: number, d: number): Block => ({
    x: east ? [toMillimetres(room.x[1] - w), room.x[1]] : [room.x[0], toMillimetres(room.x[0] + w)],
    y: north ? [toMillimetres(room.y[1] - d), room.y[1]] : [room.y[0], toMillimetres(room.y[0] + d)],
  })
  const [east, north] = [random.chance(0.5), random.chance(0.5)]
  const first = corner(east, north, within(wide, 0.42), within(deep, 0.42))
  // A niche lies between two blocks of one depth in the corners of a wall.
  const depth = first.y[1] - first.y[0]
  const second = corner(!east, north, within(wide, 0.25), depth)
  const niche = random.chance(0.35) && first.x[1] - first.x[0] + second.x[1] - second.x[0] < wide - LEAST_LEFT
  return (niche ? [first, second] : [first]).filter(free)
}

/** The floor before a part of a wall. */
export function strip(room: SceneRoom, side: Side, along: number, width: number, deep: number): Block {
  const plane = sidePlane(room, side)
  const across: [number, number] = side === 'west' || side === 'south' ? [plane, plane + deep] : [plane - deep, plane]
  const [from, to] = [along - width / 2, along + width / 2]
  return side === 'west' || side === 'east' ? { x: across, y: [from, to] } : { x: [from, to], y: across }
}

export function touches(a: Block, b: Block): boolean {
  return a.x[0] < b.x[1] && b.x[0] < a.x[1] && a.y[0] < b.y[1] && b.y[0] < a.y[1]
}

/** Faces of a block that are walls of the room: where they start, how long they are, the way they face in degrees. */
export function blockFaces(room: SceneRoom): { start: readonly [number, number]; length: number; yaw: number }[] {
  return (room.blocks ?? []).flatMap(({ x, y }) => {
    const faces = [
      { inside: x[1] < room.x[1], start: [x[1], y[0]] as const, length: y[1] - y[0], yaw: 0 },
      { inside: y[1] < room.y[1], start: [x[1], y[1]] as const, length: x[1] - x[0], yaw: 90 },
      { inside: x[0] > room.x[0], start: [x[0], y[1]] as const, length: y[1] - y[0], yaw: 180 },
      { inside: y[0] > room.y[0], start: [x[0], y[0]] as const, length: x[1] - x[0], yaw: 270 },
    ]
    return faces.filter(({ inside }) => inside)
  })
}
