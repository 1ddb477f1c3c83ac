/** Floors, walls and doors of a grid scene in 3D, open to the sky as published: one meter per cell, walls through the center of wall cells. */
import { chrome, finish, type Finish, lacquer, type Occluder, Sculpture } from '../../../../world.ts'
import { type Door, type Scene, type Vec } from '../grid/scene.ts'
import { cellsOfRoom, roomIds } from '../grid/view.ts'
import { SCALE } from './displayed-object.ts'

type Color = readonly [number, number, number]

/** Above the walls. */
export const SKY: Color = [222, 228, 236]

/** Real meters times the scale of all objects. */
export const WALL_HEIGHT = 2.7 * SCALE
/** Thin, to leave both rooms visible to a viewer in a doorway who looks along the wall. */
const WALL_THICKNESS = 0.06
const DOOR_WIDTH = 0.92 * SCALE
const DOOR_HEIGHT = 2.05 * SCALE
const FRAME_WIDTH = 0.07 * SCALE
/** Distance between vertices, where light is baked, in meters. */
const FLOOR_STEP = 0.25
const WALL_STEP = 0.5
const CORNER = 0.15

/** Doors are named after their colors. */
export const DOOR_RGB: Readonly<Record<string, Color>> = {
  red: [200, 32, 36],
  blue: [30, 84, 200],
  green: [28, 140, 60],
  yellow: [246, 206, 30],
  purple: [126, 52, 168],
  orange: [244, 126, 24],
  black: [28, 28, 30],
  white: [250, 250, 250],
  brown: [112, 66, 36],
  gray: [128, 130, 134],
}

/** Rooms have different colors to make them distinguishable. */
const FLOORS: readonly Color[] = [
  [196, 158, 116],
  [176, 184, 192],
  [128, 142, 162],
  [158, 116, 84],
  [168, 168, 142],
]
/**
 * Floors are checkered, one tile per cell: a meter to measure with. Plain tones, because a texture would take a third of
 * the render time, and thin lines would break up in the distance.
 */
export const TILE_TONES = [0.92, 1.05] as const
const WALLS: readonly Color[] = [
  [232, 228, 218],
  [214, 224, 232],
  [226, 232, 216],
  [236, 222, 214],
  [224, 220, 234],
]

export interface RoomBox {
  id: number
  /** The planes of its walls: the centers of the wall cells around it. */
  x: readonly [number, number]
  y: readonly [number, number]
}

export function roomBoxes(scene: Scene): RoomBox[] {
  return roomIds(scene).map((id) => {
    const cells = cellsOfRoom(scene, id)
    const xs = cells.map(([x]) => x)
    const ys = cells.map(([, y]) => y)
    return {
      id,
      x: [Math.min(...xs) - 1, Math.max(...xs) + 1],
      y: [Math.min(...ys) - 1, Math.max(...ys) + 1],
    }
  })
}

export function doorColor(name: string): Color {
  return DOOR_RGB[name.split(' ')[0]!.toLowerCase()] ?? [200, 160, 180]
}

function cuts(from: number, to: number, step: number, edges: readonly number[] = []): number[] {
  const fixed = [from, ...edges.filter((edge) => edge > from + 1e-6 && edge < to - 1e-6), to].toSorted((a, b) => a - b)
  return [
    ...fixed.slice(0, -1).flatMap((a, i) => {
      const span = fixed[i + 1]! - a
      const parts = Math.max(1, Math.ceil(span / step))
      return Array.from({ length: parts }, (_, k) => a + (span * k) / parts)
    }),
    to,
  ]
}

/** Corners are darker; vertices near them keep the shade narrow. */
function nearEnds([from, to]: readonly [number, number]): number[] {
  return [from + CORNER, to - CORNER]
}

interface Side {
  /** From the center of the room to the wall. */
  out: Vec
  plane: number
  span: readonly [number, number]
}

function sidesOf({ x, y }: RoomBox): Side[] {
  return [
    { out: [1, 0], plane: x[1], span: y },
    { out: [-1, 0], plane: x[0], span: y },
    { out: [0, 1], plane: y[1], span: x },
    { out: [0, -1], plane: y[0], span: x },
  ]
}

/** Positions of the doors along a wall of a room. */
function openings({ out, plane }: Side, room: number, doors: readonly Door[]): number[] {
  return doors
    .filter(({ rooms, pos }) => rooms.includes(room) && (out[0] === 0 ? pos[1] : pos[0]) === plane)
    .filter(({ normals, rooms }) => {
      const normal = normals[rooms.indexOf(room)]!
      return normal[0] === -out[0] && normal[1] === -out[1]
    })
    .map(({ pos }) => (out[0] === 0 ? pos[0] : pos[1]))
}

/** Everything but doors and objects. */
export function buildShell(scene: Scene): Sculpture {
  const shell = new Sculpture()
  for (const [i, room] of roomBoxes(scene).entries()) {
    const floor = FLOORS[i % FLOORS.length]!
    const [xs, ys] = [cuts(...room.x, FLOOR_STEP), cuts(...room.y, FLOOR_STEP)]
    const flat = (x: number, y: number): readonly [number, number] => [x, y]
    for (const [k, tone] of TILE_TONES.entries()) {
      const look = finish('floor', [floor[0] * tone, floor[1] * tone, floor[2] * tone], { roughness: 0.8 })
      const isOther = (x: number, y: number): boolean => tileTone(x, y) !== k
      shell.patch(look, xs, ys, (x, y) => [x, y, 0], [0, 0, 1], flat, isOther)
    }
    const paint = finish('wall', WALLS[i % WALLS.length]!, { roughness: 0.8 })
    for (const side of sidesOf(room)) wall(shell, paint, side, openings(side, room.id, scene.doors))
  }
  for (const door of scene.doors) wallEnds(shell, door)
  return shell
}

/** Tone of the floor at a point: tiles are cells, so the viewer is at the center of one. */
export function tileTone(x: number, y: number): number {
  return (Math.floor(x + 0.5) + Math.floor(y + 0.5)) & 1
}

function wall(shell: Sculpture, paint: Finish, { out, plane, span }: Side, doors: readonly number[]): void {
  const half = DOOR_WIDTH / 2
  const us = cuts(...span, WALL_STEP, [...nearEnds(span), ...doors.flatMap((at) => [at - half, at + half])])
  const vs = cuts(0, WALL_HEIGHT, WALL_STEP, [...nearEnds([0, WALL_HEIGHT]), DOOR_HEIGHT])
  const alongY = out[0] !== 0
  const face = plane - ((alongY ? out[0] : out[1]) * WALL_THICKNESS) / 2
  const inDoor = (u: number, v: number): boolean =>
    v < DOOR_HEIGHT && doors.some((at) => u > at - half && u < at + half)
  shell.patch(
    paint,
    us,
    vs,
    (u, v) => (alongY ? [face, u, v] : [u, face, v]),
    [-out[0], -out[1], 0],
    (u, v) => [u / paint.tile, -v / paint.tile],
    inDoor,
  )
  const skirting = finish('skirting', [246, 245, 242], { roughness: 0.5 })
  const edges = [
    span[0],
    ...doors.toSorted((a, b) => a - b).flatMap((at) => [at - half - FRAME_WIDTH, at + half + FRAME_WIDTH]),
    span[1],
  ]
  for (let i = 0; i < edges.length; i += 2) {
    const [a, b] = [edges[i]!, edges[i + 1]!]
    if (b - a < 0.05) continue
    const inside = face - (alongY ? out[0] : out[1]) * 0.006
    const mid = (a + b) / 2
    if (alongY) shell.box(skirting, [0.012, b - a, 0.07], [inside, mid, 0.035], 0)
    else shell.box(skirting, [b - a, 0.012, 0.07], [mid, inside, 0.035], 0)
  }
}

/** Thinner than the wall, to stay inside it. */
const WALL_END = WALL_THICKNESS - 0.004

/** Closes the ends of the wall at a door: from a doorway, the near plane would otherwise show the inside of the wall. */
function wallEnds(shell: Sculpture, { pos: [x, y], normals }: Door): void {
  const paint = finish('wall end', [222, 220, 214], { roughness: 0.8 })
  const alongY = normals[0][0] !== 0
  for (const side of [-1, 1]) {
    const at = side * 0.53
    const size = alongY ? ([WALL_END, 0.04, WALL_HEIGHT] as const) : ([0.04, WALL_END, WALL_HEIGHT] as const)
    shell.box(paint, size, [alongY ? x : x + at, alongY ? y + at : y, WALL_HEIGHT / 2], 0)
  }
}

/** Raised fields of a door, as parts of its height. */
const PANELS = [
  [0.09, 0.45],
  [0.55, 0.93],
] as const

/** A closed door: a colored leaf with a frame and a handle on both sides. In local coordinates the wall is along y. */
export function buildDoor({ name, pos, normals }: Door): Sculpture {
  const door = new Sculpture()
  const leaf = lacquer([...doorColor(name)])
  const frame = finish('door frame', [240, 238, 232], { roughness: 0.5 })
  door.at(
    [pos[0], pos[1], 0],
    () => {
      door.box(leaf, [0.05, DOOR_WIDTH, DOOR_HEIGHT], [0, 0, DOOR_HEIGHT / 2], 0.004)
      for (const side of [-1, 1]) {
        const face = side * 0.03
        for (const [from, to] of PANELS) {
          const [low, high] = [from * DOOR_HEIGHT, to * DOOR_HEIGHT]
          door.box(leaf, [0.014, DOOR_WIDTH * 0.7, high - low], [face, 0, (low + high) / 2], 0.005)
        }
        const outside = side * (WALL_THICKNESS / 2 + 0.01)
        const top = DOOR_HEIGHT + FRAME_WIDTH
        for (const y of [-1, 1])
          door.box(frame, [0.02, FRAME_WIDTH, top], [outside, (y * (DOOR_WIDTH + FRAME_WIDTH)) / 2, top / 2], 0.004)
        door.box(frame, [0.02, DOOR_WIDTH + 2 * FRAME_WIDTH, FRAME_WIDTH], [outside, 0, top - FRAME_WIDTH / 2], 0.004)
        door.box(chrome(), [0.04, 0.08, 0.02], [side * 0.05, DOOR_WIDTH / 2 - 0.07, DOOR_HEIGHT * 0.5], 0.006)
      }
    },
    { yaw: normals[0][0] !== 0 ? 0 : 90 },
  )
  return door
}

/** Boxes that keep light inside its room. */
export function shellOccluders(scene: Scene): Occluder[] {
  const box = (center: readonly [number, number, number], half: readonly [number, number, number]): Occluder => ({
    frame: [1, 0, 0, center[0], 0, 1, 0, center[1], 0, 0, 1, center[2]],
    half,
    solid: true,
  })
  return roomBoxes(scene).flatMap((room) => {
    const [cx, cy] = [(room.x[0] + room.x[1]) / 2, (room.y[0] + room.y[1]) / 2]
    const [hx, hy] = [(room.x[1] - room.x[0]) / 2, (room.y[1] - room.y[0]) / 2]
    const walls = sidesOf(room).map(({ out, plane }) =>
      out[0] === 0
        ? box([cx, plane, WALL_HEIGHT / 2], [hx, WALL_THICKNESS / 2, WALL_HEIGHT / 2])
        : box([plane, cy, WALL_HEIGHT / 2], [WALL_THICKNESS / 2, hy, WALL_HEIGHT / 2]),
    )
    return [...walls, box([cx, cy, -0.05], [hx, hy, 0.05])]
  })
}
