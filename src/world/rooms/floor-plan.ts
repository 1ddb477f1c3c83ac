/** Rooms, doors and windows: the empty flat. */
import type { Random } from '../../base/random.ts'
import { drawBlocks } from './blocks.ts'
import { drawLeaf } from './doors.ts'
import { looksOf } from './looks.ts'
import {
  type RoomKind,
  type SceneDoor,
  type SceneKind,
  type SceneRoom,
  type SceneWindow,
  type Side,
  toMillimetres,
} from './scene.ts'
import { doorsOn, opposite, SIDES, sidePlane, sideSpan } from './sides.ts'

export const WALL = 0.12
const DOOR_WIDTH = 0.86
const DOOR_HEIGHT = 2.03
/** A door keeps this much wall between itself and a corner. */
const DOOR_MARGIN = 0.12

interface Size {
  /** Shorter and longer side, meters, from and to. */
  short: readonly [number, number]
  long: readonly [number, number]
}

const SIZES: Readonly<Record<RoomKind, Size>> = {
  bedroom: { short: [3, 3.8], long: [3.6, 4.8] },
  'living room': { short: [4, 5], long: [4.8, 6.6] },
  kitchen: { short: [2.9, 3.6], long: [3.4, 4.8] },
  bathroom: { short: [2.1, 2.6], long: [2.5, 3.3] },
  office: { short: [3.6, 5], long: [4.2, 7] },
  'class room': { short: [6, 7.2], long: [7, 9.4] },
  workshop: { short: [4.6, 6], long: [5.4, 8] },
  corridor: { short: [1.8, 2.3], long: [5.5, 9] },
}

/** What a flat of so many rooms has. */
const FLAT_ROOMS: readonly RoomKind[] = [
  'living room',
  'bedroom',
  'kitchen',
  'bathroom',
  'bedroom',
  'office',
  'bedroom',
  'bathroom',
]
/** Floor space in a flat, square meters, from and to; and how narrow it may get. */
const FLAT_AREAS: Readonly<Record<RoomKind, readonly [number, number, number]>> = {
  bedroom: [11, 16, 2.8],
  'living room': [19, 28, 3.8],
  kitchen: [9.5, 13, 2.7],
  bathroom: [5, 7.5, 1.95],
  office: [9.5, 14, 2.7],
  'class room': [40, 60, 6],
  workshop: [20, 30, 4],
  corridor: [7, 10, 1.6],
}

export interface FloorPlan {
  height: number
  rooms: SceneRoom[]
  doors: SceneDoor[]
  windows: SceneWindow[]
}

interface Rect {
  x: readonly [number, number]
  y: readonly [number, number]
}

export function floorPlan(kind: SceneKind, random: Random, roomCount?: number): FloorPlan {
  const tall = kind === 'class room' || kind === 'workshop'
  const height = toMillimetres(tall ? random.range(2.8, 3.2) : random.range(2.45, 2.75))
  const rects = kind === 'flat' ? flatRects(random.fork('plan'), roomCount) : [singleRoom(kind, random.fork('plan'))]
  const rooms: SceneRoom[] = rects.map(({ kind: roomKind, x, y }, i) => ({
    id: i + 1,
    kind: roomKind,
    x: [toMillimetres(x[0]), toMillimetres(x[1])],
    y: [toMillimetres(y[0]), toMillimetres(y[1])],
    ...looksOf(roomKind, random.fork(`looks/${i}`)),
  }))
  const doors = placeDoors(rooms, random.fork('doors'))
  const windows = placeWindows(rooms, doors, height, random.fork('windows'))
  const shaped = rooms.map((room) => {
    const blocks = drawBlocks(room, doors, windows, random.fork(`blocks/${room.id}`))
    return blocks.length > 0 ? { ...room, blocks } : room
  })
  return {
    height,
    rooms: shaped,
    doors: doors.map((door) => drawLeaf(door, shaped, doors, random.fork(`leaf/${door.id}`))),
    windows,
  }
}

function singleRoom(kind: RoomKind, random: Random): Rect & { kind: RoomKind } {
  const { short, long } = SIZES[kind]
  const a = random.range(...short)
  const b = Math.max(a, random.range(...long))
  const [w, d] = random.chance(0.5) ? [a, b] : [b, a]
  return { kind, x: [0, w], y: [0, d] }
}

/** Cuts a rectangle in two again and again, in proportion to the space that the rooms on each side want. */
function flatRects(random: Random, roomCount = random.between(2, 8)): (Rect & { kind: RoomKind })[] {
  for (let attempt = 0; ; attempt++) {
    const kinds = FLAT_ROOMS.slice(0, roomCount)
    const wanted = random
      .shuffle([...kinds])
      .map((kind) => ({ kind, area: random.range(FLAT_AREAS[kind][0], FLAT_AREAS[kind][1]) }))
    let total = 0
    for (const { area } of wanted) total += area
    const aspect = random.range(1, 1.7)
    const w = Math.sqrt(total * aspect)
    const rects: (Rect & { kind: RoomKind })[] = []
    cut(wanted, { x: [0, w], y: [0, total / w] }, rects)
    // After many tries a narrow room is better than none.
    const slack = attempt < 60 ? 0 : 0.4
    if (
      rects.every(({ kind, x, y }) => Math.min(x[1] - x[0], y[1] - y[0]) - WALL >= FLAT_AREAS[kind][2] - slack) ||
      attempt > 200
    ) {
      return rects.map(({ kind, x, y }) => ({
        kind,
        x: [x[0] + WALL / 2, x[1] - WALL / 2],
        y: [y[0] + WALL / 2, y[1] - WALL / 2],
      }))
    }
  }
}

function cut(
  wanted: readonly { kind: RoomKind; area: number }[],
  rect: Rect,
  into: (Rect & { kind: RoomKind })[],
): void {
  if (wanted.length === 1) {
    into.push({ kind: wanted[0]!.kind, ...rect })
    return
  }
  const half = wanted.length >> 1
  const sum = (list: readonly { area: number }[]): number => list.reduce((total, { area }) => total + area, 0)
  const share = sum(wanted.slice(0, half)) / sum(wanted)
  const w = rect.x[1] - rect.x[0]
  const d = rect.y[1] - rect.y[0]
  if (w >= d) {
    const middle = rect.x[0] + w * share
    cut(wanted.slice(0, half), { x: [rect.x[0], middle], y: rect.y }, into)
    cut(wanted.slice(half), { x: [middle, rect.x[1]], y: rect.y }, into)
  } else {
    const middle = rect.y[0] + d * share
    cut(wanted.slice(0, half), { x: rect.x, y: [rect.y[0], middle] }, into)
    cut(wanted.slice(half), { x: rect.x, y: [middle, rect.y[1]] }, into)
  }
}

/** Where two rooms share a wall on the side of the first. */
function sharedSpan(a: SceneRoom, b: SceneRoom, side: Side): readonly [number, number] | null {
  const gap = Math.abs(sidePlane(a, side) - sidePlane(b, opposite(side)))
  const outwards = side === 'east' || side === 'north' ? 1 : -1
  if (gap > WALL + 0.01 || (sidePlane(b, opposite(side)) - sidePlane(a, side)) * outwards < 0) return null
  const from = Math.max(sideSpan(a, side)[0], sideSpan(b, opposite(side))[0])
  const to = Math.min(sideSpan(a, side)[1], sideSpan(b, opposite(side))[1])
  return to - from > 0 ? [from, to] : null
}

/** The parts of a side with no room behind them. */
export function outerSpans(room: SceneRoom, rooms: readonly SceneRoom[], side: Side): (readonly [number, number])[] {
  const shared = rooms
    .flatMap((other) => (other === room ? [] : [sharedSpan(room, other, side)]))
    .filter((span) => span !== null)
  let free: (readonly [number, number])[] = [sideSpan(room, side)]
  for (const [from, to] of shared) {
    free = free.flatMap(([a, b]): (readonly [number, number])[] => [
      [a, Math.min(b, from - WALL)],
      [Math.max(a, to + WALL), b],
    ])
  }
  return free.filter(([a, b]) => b - a > 0.3)
}

const DOOR_COLORS = [
  [244, 242, 236],
  [196, 150, 100],
  [150, 104, 70],
  [226, 222, 210],
] as const

/** Every room can be reached: a tree over the shared walls, in which bathrooms are ends, and sometimes one door more. */
function placeDoors(rooms: readonly SceneRoom[], random: Random): SceneDoor[] {
  const color = random.pick(DOOR_COLORS)
  const edges: { a: SceneRoom; b: SceneRoom; side: Side; span: readonly [number, number]; weight: number }[] = []
  for (const a of rooms) {
    for (const b of rooms) {
      if (b.id <= a.id) continue
      for (const side of SIDES) {
        const span = sharedSpan(a, b, side)
        if (!span || span[1] - span[0] < DOOR_WIDTH + 2 * DOOR_MARGIN) continue
        const wet = [a, b].filter(({ kind }) => kind === 'bathroom').length
        const hub = [a, b].some(({ kind }) => kind === 'living room' || kind === 'corridor')
        edges.push({ a, b, side, span, weight: wet * 10 - (hub ? 5 : 0) + random.unit() })
      }
    }
  }
  edges.sort((p, q) => p.weight - q.weight)
  const group = new Map(rooms.map(({ id }) => [id, id]))
  const find = (id: number): number => (group.get(id) === id ? id : find(group.get(id)!))
  const doors: SceneDoor[] = []
  let spare = random.chance(0.4) ? 1 : 0
  const add = (rooms2: [number, number | null], side: Side, span: readonly [number, number]): void => {
    const low = span[0] + DOOR_MARGIN + DOOR_WIDTH / 2
    const high = span[1] - DOOR_MARGIN - DOOR_WIDTH / 2
    // Doors near a corner leave long walls for furniture.
    const f = random.chance(0.7) ? random.range(0, 0.12) : random.range(0.3, 0.7)
    const along = low + (high - low) * (random.chance(0.5) ? f : 1 - f)
    doors.push({
      id: doors.length + 1,
      rooms: rooms2,
      side,
      along: toMillimetres(along),
      width: DOOR_WIDTH,
      height: DOOR_HEIGHT,
      color: [...color],
    })
  }
  for (const { a, b, side, span } of edges) {
    const joined = find(a.id) === find(b.id)
    if (joined && (spare === 0 || a.kind === 'bathroom' || b.kind === 'bathroom')) continue
    if (joined) spare--
    group.set(find(a.id), find(b.id))
    add([a.id, b.id], side, span)
  }
  const entrance =
    rooms.find(({ kind }) => kind === 'corridor') ?? rooms.find(({ kind }) => kind === 'living room') ?? rooms[0]!
  const ways = rooms.length === 1 && entrance.kind === 'corridor' ? 4 : 1
  const outer = SIDES.flatMap((side) => outerSpans(entrance, rooms, side).map((span) => ({ side, span })))
  const wide = outer.filter(({ span }) => span[1] - span[0] > DOOR_WIDTH + 2 * DOOR_MARGIN)
  for (const { side, span } of random.sample(wide, ways)) {
    const clash = (along: number): boolean =>
      doors.some((door) => door.rooms[0] === entrance.id && door.side === side && Math.abs(door.along - along) < 1.2)
    const before = doors.length
    add([entrance.id, null], side, span)
    if (
      clash(Number.NaN) ||
      doors
        .slice(0, before)
        .some(
          (door) =>
            door.side === side && door.rooms.includes(entrance.id) && Math.abs(door.along - doors[before]!.along) < 1.2,
        )
    )
      doors.pop()
  }
  if (!doors.some(({ rooms: [, out] }) => out === null)) {
    const { side, span } = wide[0] ?? outer[0]!
    add([entrance.id, null], side, span)
  }
  return doors
}

function placeWindows(
  rooms: readonly SceneRoom[],
  doors: readonly SceneDoor[],
  height: number,
  random: Random,
): SceneWindow[] {
  const windows: SceneWindow[] = []
  for (const room of rooms) {
    if (room.kind === 'corridor' && random.chance(0.5)) continue
    const small = room.kind === 'bathroom'
    const most = small
      ? 1
      : room.kind === 'class room'
        ? 4
        : room.kind === 'living room' || room.kind === 'office'
          ? 3
          : 2
    let count = 0
    // Class rooms and workshops have their windows on one side; others where there is room.
    for (const side of random.shuffle([...SIDES])) {
      if (count >= most) break
      for (const [from, to] of outerSpans(room, rooms, side)) {
        const blocked = doorsOn(room, side, doors).map(
          ({ along, width }) => [along - width / 2 - 0.2, along + width / 2 + 0.2] as const,
        )
        const free = blocked.reduce<(readonly [number, number])[]>(
          (spans, [a, b]) =>
            spans.flatMap(([p, q]): (readonly [number, number])[] => [
              [p, Math.min(q, a)],
              [Math.max(p, b), q],
            ]),
          [[from + 0.3, to - 0.3]],
        )
        for (const [a, b] of free) {
          const width = small ? 0.7 : random.pick([1.1, 1.3, 1.5])
          const fits = Math.min(most - count, Math.floor((b - a) / (width + 0.7)), small ? 1 : 3)
          if (b - a < width || fits < 1) continue
          for (let i = 0; i < fits; i++) {
            const along = a + ((i + 0.5) * (b - a)) / fits
            const sill = small ? 1.35 : random.pick([0.85, 0.9, 0.95])
            const top = Math.min(height - 0.18, 2.2)
            windows.push({
              id: windows.length + 1,
              room: room.id,
              side,
              along: toMillimetres(along),
              width,
              sill,
              height: toMillimetres(small ? 0.6 : top - sill),
            })
            count++
          }
        }
      }
      if (count > 0 && (room.kind === 'class room' || random.chance(0.5))) break
    }
  }
  return windows
}
