/**
 * Room layout of a generated scene. All rooms have the same size; neighbors share a wall, are shifted along it by a few
 * cells, and have a door somewhere in it.
 */
import type { Random } from '../../../suite.ts'
import { DOOR_EAST_WEST, DOOR_NORTH_SOUTH, OUTSIDE, type Vec, WALL } from '../domain/grid/scene.ts'

/** 0: chain, 1: first room has two neighbors, 2: three neighbors, 3: ring of four. */
export type Topology = 0 | 1 | 2 | 3

export interface Layout {
  mask: number[][]
  /** South-west cell of each room, room 1 first. */
  corners: Vec[]
  doors: Vec[]
}

export interface LayoutOptions {
  rooms: number
  topology: Topology
  width: number
  height: number
}

/** The topology for a number of rooms; falls back to a simpler one if there are too few. */
export function effectiveTopology(topology: Topology, rooms: number): Topology {
  if (topology === 2 && rooms < 4) return effectiveTopology(1, rooms)
  if (topology === 1 && rooms <= 2) return 0
  return topology
}

const DIRECTIONS = [0, 1, 2, 3] as const

/** Maximum shift in the published layout: less if more rooms must fit around one. */
function maxSlide({ rooms, topology, width, height }: LayoutOptions, first: boolean): number {
  const side = Math.min(width, height)
  const tight = topology === 2 ? rooms > 4 : rooms > 3 && (topology === 1 || first)
  return tight ? Math.min(1, Math.floor(side / 4)) : Math.min(2, Math.floor(side / 3))
}

/** One attempt; null if the rooms do not fit. */
export function tryLayout(options: LayoutOptions, random: Random): Layout | null {
  const { rooms, topology } = options
  const corners: Vec[] = [[0, 0]]
  const parents: number[] = [-1]
  if (topology === 3) return finish(options, ring(options, random), [-1, 0, 1, 2], random, [[0, 3]])
  const around = random.shuffle([...DIRECTIONS])
  const direct = topology === 0 ? 1 : topology + 1
  for (let i = 1; i < rooms; i++) {
    if (i <= direct) {
      const slide = maxSlide(options, i === 1)
      const corner = adjacentCorner(options, corners[0]!, around[i - 1]!, random.between(-slide, slide))
      if (!fits(options, corners, corner)) return null
      corners.push(corner)
      parents.push(0)
      continue
    }
    const placed = placeNextRoom(options, corners, candidateParents(topology, i, random), random)
    if (placed === null) return null
    corners.push(placed.corner)
    parents.push(placed.parent)
  }
  return finish(options, corners, parents, random, [])
}

/** Rooms that the i-th room (from 0) may be attached to, in the order to try. */
function candidateParents(topology: Topology, i: number, random: Random): number[] {
  if (topology === 0) return [i - 1]
  // 4 → 2, 5 → 3, 6 → 2 …, counted from 1.
  if (topology === 1) return [i % 2 === 1 ? 1 : 2]
  return random.shuffle(Array.from({ length: i }, (_, k) => k))
}

function placeNextRoom(
  options: LayoutOptions,
  corners: readonly Vec[],
  parents: readonly number[],
  random: Random,
): { corner: Vec; parent: number } | null {
  const slide = maxSlide(options, false)
  const slides = Array.from({ length: 2 * slide + 1 }, (_, k) => k - slide)
  for (const parent of parents) {
    for (const direction of random.shuffle([...DIRECTIONS])) {
      for (const by of random.shuffle([...slides])) {
        const corner = adjacentCorner(options, corners[parent]!, direction, by)
        if (fits(options, corners, corner)) return { corner, parent }
      }
    }
  }
  return null
}

/** The corner of a room adjacent to another: 0 north, 1 east, 2 south, 3 west. */
function adjacentCorner({ width, height }: LayoutOptions, [x, y]: Vec, direction: number, slide: number): Vec {
  if (direction === 0) return [x + slide, y + height + 1]
  if (direction === 1) return [x + width + 1, y + slide]
  if (direction === 2) return [x + slide, y - height - 1]
  return [x - width - 1, y + slide]
}

/** Rooms need a wall between them, even at corners: this rules out corner gaps and shared floor. */
function fits({ width, height }: LayoutOptions, corners: readonly Vec[], [x, y]: Vec): boolean {
  return corners.every(([ox, oy]) => Math.abs(x - ox) > width || Math.abs(y - oy) > height)
}

/** A two-by-two block, rotated and mirrored at random. */
function ring({ width, height }: LayoutOptions, random: Random): Vec[] {
  const block: Vec[] = [
    [0, 0],
    [width + 1, 0],
    [width + 1, height + 1],
    [0, height + 1],
  ]
  const first = random.int(4)
  const step = random.chance(0.5) ? 1 : 3
  return block.map((_, i) => block[(first + i * step) % 4]!)
}

function finish(
  options: LayoutOptions,
  corners: readonly Vec[],
  parents: readonly number[],
  random: Random,
  more: readonly [number, number][],
): Layout {
  const { width, height } = options
  let left = Infinity
  let bottom = Infinity
  let right = -Infinity
  let top = -Infinity
  for (const [x, y] of corners) {
    left = Math.min(left, x)
    bottom = Math.min(bottom, y)
    right = Math.max(right, x + width)
    top = Math.max(top, y + height)
  }
  // One cell of wall around the scene.
  const shifted = corners.map(([x, y]): Vec => [x - left + 1, y - bottom + 1])
  const mask = Array.from({ length: right - left + 2 }, () => Array.from({ length: top - bottom + 2 }, () => OUTSIDE))
  for (const [i, [x, y]] of shifted.entries()) {
    for (let cx = x - 1; cx <= x + width; cx++) {
      const column = mask[cx]!
      const inside = cx >= x && cx < x + width
      for (let cy = y - 1; cy <= y + height; cy++) {
        if (inside && cy >= y && cy < y + height) column[cy] = i + 1
        else if (column[cy] === OUTSIDE) column[cy] = WALL
      }
    }
  }
  const doors: Vec[] = []
  const join = (a: number, b: number): void => {
    const door = doorBetween(options, shifted[a]!, shifted[b]!, random)
    mask[door.pos[0]]![door.pos[1]] = door.code
    doors.push(door.pos)
  }
  for (const [i, parent] of parents.entries()) if (parent >= 0) join(parent, i)
  for (const [a, b] of more) join(a, b)
  return { mask, corners: shifted, doors }
}

/** A cell of the wall that two neighbors share, uniform over their overlap. */
function doorBetween({ width, height }: LayoutOptions, a: Vec, b: Vec, random: Random): { pos: Vec; code: number } {
  if (Math.abs(a[0] - b[0]) === width + 1) {
    const y = random.between(Math.max(a[1], b[1]), Math.min(a[1], b[1]) + height - 1)
    return { pos: [Math.max(a[0], b[0]) - 1, y], code: DOOR_EAST_WEST }
  }
  const x = random.between(Math.max(a[0], b[0]), Math.min(a[0], b[0]) + width - 1)
  return { pos: [x, Math.max(a[1], b[1]) - 1], code: DOOR_NORTH_SOUTH }
}
