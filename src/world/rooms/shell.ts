/** The building itself: floors, walls with their openings, ceilings, doors, windows, skirting. */
import { type Finish, chrome, finish, glass, paint, printed } from '../materials/finishes.ts'
import { OUTDOOR_PLACES, outdoorView } from '../materials/outdoors.ts'
import { type SurfaceName, surfaces } from '../materials/surfaces.ts'
import { UserError } from '../../base/errors.ts'
import { type Occluder, Sculpture, type Vec3 } from '../objects/shapes.ts'
import { doorsOn } from './floor-plan.ts'
import { FACING, SIDES } from './planner.ts'
import type { Lighting, Scene, SceneRoom, Side, SurfaceLook } from './scene.ts'
import { sidePlane, sideSpan } from './sides.ts'

/** Light is baked at vertices: how far they are apart, meters. */
const FLOOR_STEP = 0.14
const WALL_STEP = 0.2
const CEILING_STEP = 0.4
const SKIRTING = 0.08
/** Walls toward the outside are thicker, so that windows have a sill. */
export const OUTER_WALL = 0.26

/** The eye is used to the room: what is outside on a sunny day is too bright for it. */
const EXPOSURE: Readonly<Record<Lighting, number>> = { day: 1.45, overcast: 1.1, evening: 0.7 }

interface Opening {
  from: number
  to: number
  low: number
  high: number
}

/** `fine` has twice the vertices along walls and floors, for sharper shadows. */
export function buildShell(scene: Scene, fine = false): Sculpture {
  const shell = new Sculpture()
  const step = fine ? 0.5 : 1
  for (const room of scene.rooms) {
    levelFace(shell, surfaceFinish(room.floor), room, 0, FLOOR_STEP * step, 1)
    levelFace(shell, surfaceFinish(room.ceiling), room, scene.height, CEILING_STEP, -1)
    for (const side of SIDES) {
      const openings = openingsOf(scene, room, side)
      onSide(shell, room, side, (length) => {
        const seen = BACKWARDS.has(side)
          ? openings.map(({ from, to, ...rest }) => ({ from: length - to, to: length - from, ...rest })).toReversed()
          : openings
        wallFace(shell, surfaceFinish(room.walls), length, scene.height, seen, WALL_STEP * step)
        skirting(shell, room, length, seen)
      })
    }
  }
  for (const door of scene.doors) drawDoor(shell, scene, door)
  for (const window of scene.windows) drawWindow(shell, scene, window)
  return shell
}

/** Boxes that keep light out: walls around their openings, floors and ceilings. */
export function shellOccluders(scene: Scene): Occluder[] {
  const boxes: Occluder[] = []
  const add = (x: readonly [number, number], y: readonly [number, number], z: readonly [number, number]): void => {
    if (x[1] - x[0] < 1e-6 || y[1] - y[0] < 1e-6 || z[1] - z[0] < 1e-6) return
    boxes.push({
      frame: [1, 0, 0, (x[0] + x[1]) / 2, 0, 1, 0, (y[0] + y[1]) / 2, 0, 0, 1, (z[0] + z[1]) / 2],
      half: [(x[1] - x[0]) / 2, (y[1] - y[0]) / 2, (z[1] - z[0]) / 2],
      solid: true,
    })
  }
  for (const room of scene.rooms) {
    add(room.x, room.y, [-0.1, 0])
    add(room.x, room.y, [scene.height, scene.height + 0.1])
    for (const side of SIDES) {
      const plane = sidePlane(room, side)
      const half = scene.wallThickness / 2
      const across =
        side === 'west' || side === 'south' ? ([plane - half, plane] as const) : ([plane, plane + half] as const)
      const [from, to] = sideSpan(room, side)
      const wall = (a: number, b: number, low: number, high: number): void => {
        if (side === 'west' || side === 'east') add(across, [a, b], [low, high])
        else add([a, b], across, [low, high])
      }
      let at = from - scene.wallThickness
      for (const { from: a, to: b, low, high } of openingsOf(scene, room, side)) {
        const left = from + a
        const right = from + b
        wall(at, left, 0, scene.height)
        wall(left, right, 0, low)
        wall(left, right, high, scene.height)
        at = right
      }
      wall(at, to + scene.wallThickness, 0, scene.height)
    }
    // Shut doors let no light in.
    for (const door of scene.doors) {
      if (door.rooms[1] !== null || door.rooms[0] !== room.id) continue
      const plane = sidePlane(room, door.side)
      const a: readonly [number, number] = [door.along - door.width / 2, door.along + door.width / 2]
      const out =
        door.side === 'west' || door.side === 'south'
          ? ([plane - 0.06, plane - 0.03] as const)
          : ([plane + 0.03, plane + 0.06] as const)
      if (door.side === 'west' || door.side === 'east') add(out, a, [0, door.height])
      else add(a, out, [0, door.height])
    }
  }
  return boxes
}

/** Doors and windows of a side, as distances from its start, in order. */
function openingsOf(scene: Scene, room: SceneRoom, side: Side): Opening[] {
  const [start] = sideSpan(room, side)
  const doors = doorsOn(room, side, scene.doors).map(({ along, width, height }) => ({
    from: along - width / 2 - start,
    to: along + width / 2 - start,
    low: 0,
    high: height,
  }))
  const windows = scene.windows
    .filter((window) => window.room === room.id && window.side === side)
    .map(({ along, width, sill, height }) => ({
      from: along - width / 2 - start,
      to: along + width / 2 - start,
      low: sill,
      high: sill + height,
    }))
  return [...doors, ...windows].toSorted((a, b) => a.from - b.from)
}

/** Draws in a frame whose x is the room's side of the wall, whose y runs along the wall and whose origin is its start. */
function onSide(shell: Sculpture, room: SceneRoom, side: Side, draw: (length: number) => void): void {
  const [from, to] = sideSpan(room, side)
  const plane = sidePlane(room, side)
  // Seen from inside, the wall of a turned frame runs from the other end on two of the sides.
  const start: Vec3 =
    side === 'west'
      ? [plane, from, 0]
      : side === 'east'
        ? [plane, to, 0]
        : side === 'south'
          ? [to, plane, 0]
          : [from, plane, 0]
  shell.at(start, () => draw(to - from), { yaw: FACING[side] })
}

const BACKWARDS: ReadonlySet<Side> = new Set(['east', 'south'])

/** Openings count from the start of the span; on two sides the frame runs the other way. */
function along(side: Side, room: SceneRoom, value: number): number {
  const [from, to] = sideSpan(room, side)
  return BACKWARDS.has(side) ? to - value : value - from
}

export function surfaceFinish({ surface, tile, color }: SurfaceLook): Finish {
  if (!isSurface(surface)) {
    throw new UserError(
      `The scene asks for a surface called “${surface}”. There are: ${Object.keys(surfaces).join(', ')}.`,
    )
  }
  return finish(`${surface} ${tile} m`, color, { surface, tile, roughness: 0.8 })
}

function isSurface(name: string): name is SurfaceName {
  return Object.hasOwn(surfaces, name)
}

function cuts(length: number, step: number, edges: readonly number[]): number[] {
  const fixed = [0, ...edges.filter((edge) => edge > 0.001 && edge < length - 0.001), length].toSorted((a, b) => a - b)
  const all: number[] = []
  for (let i = 0; i + 1 < fixed.length; i++) {
    const span = fixed[i + 1]! - fixed[i]!
    if (span < 1e-6) continue
    const parts = Math.max(1, Math.ceil(span / step))
    for (let k = 0; k < parts; k++) all.push(fixed[i]! + (span * k) / parts)
  }
  return [...all, length]
}

function levelFace(shell: Sculpture, look: Finish, { x, y }: SceneRoom, z: number, step: number, up: 1 | -1): void {
  const xs = cuts(x[1] - x[0], step, [])
  const ys = cuts(y[1] - y[0], step, [])
  shell.patch(
    look,
    xs,
    ys,
    (a, b) => [x[0] + a, y[0] + b, z],
    [0, 0, up],
    (a, b) => [(x[0] + a) / look.tile, (y[0] + b) / look.tile],
  )
}

function wallFace(
  shell: Sculpture,
  look: Finish,
  length: number,
  height: number,
  openings: readonly Opening[],
  step: number,
): void {
  const us = cuts(
    length,
    step,
    openings.flatMap(({ from, to }) => [from, to]),
  )
  const vs = cuts(
    height,
    step,
    openings.flatMap(({ low, high }) => [low, high]),
  )
  shell.patch(
    look,
    us,
    vs,
    (u, v) => [0, u, v],
    [1, 0, 0],
    (u, v) => [u / look.tile, -v / look.tile],
    (u, v) => openings.some(({ from, to, low, high }) => u > from && u < to && v > low && v < high),
  )
}

const SKIRTING_PAINT = (): Finish => finish('skirting', [244, 242, 238], { roughness: 0.5 })

function skirting(shell: Sculpture, room: SceneRoom, length: number, openings: readonly Opening[]): void {
  if (room.kind === 'bathroom' || room.kind === 'workshop') return
  let at = 0
  const strip = (from: number, to: number): void => {
    const n = Math.max(1, Math.ceil((to - from) / 0.4))
    for (let i = 0; i < n; i++) {
      const a = from + ((to - from) * i) / n
      const b = from + ((to - from) * (i + 1)) / n
      if (b - a > 0.01) shell.box(SKIRTING_PAINT(), [0.012, b - a, SKIRTING], [0.006, (a + b) / 2, SKIRTING / 2], 0)
    }
  }
  for (const { from, to, low } of openings) {
    if (low > SKIRTING) continue
    strip(at, from - 0.06)
    at = to + 0.06
  }
  strip(at, length)
}

/** Runs `draw` in the frame of an opening: x into the room, y along the wall with the opening's middle at 0. */
function atOpening(shell: Sculpture, room: SceneRoom, side: Side, middle: number, draw: () => void): void {
  onSide(shell, room, side, () => shell.at([0, along(side, room, middle), 0], draw))
}

function drawDoor(shell: Sculpture, scene: Scene, door: Scene['doors'][number]): void {
  const room = roomOf(scene, door.rooms[0])
  const frame = finish('door frame', [246, 244, 240], { roughness: 0.4 })
  const { width: w, height: h } = door
  const thick = scene.wallThickness
  atOpening(shell, room, door.side, door.along, () => {
    const deep = thick + 0.03
    const mid = -thick / 2
    for (const y of [-1, 1]) shell.box(frame, [deep, 0.03, h], [mid, y * (w / 2 - 0.012), h / 2], 0.003)
    shell.box(frame, [deep, w, 0.03], [mid, 0, h - 0.012], 0.003)
    for (const x of door.rooms[1] === null ? [0.008] : [0.008, -thick - 0.008]) {
      for (const y of [-1, 1]) shell.box(frame, [0.016, 0.07, h + 0.05], [x, y * (w / 2 + 0.03), (h + 0.05) / 2], 0.004)
      shell.box(frame, [0.016, w + 0.13, 0.07], [x, 0, h + 0.03], 0.004)
    }
    // The threshold joins the two floors.
    shell.box(
      finish('threshold', [150, 120, 90], { surface: 'wood', tile: 0.7 }),
      [thick + 0.01, w, 0.006],
      [mid, 0, 0.001],
      0,
    )
    if (door.rooms[1] === null) doorLeaf(shell, door.color, w - 0.05, h - 0.03)
  })
}

/** A shut panel door. */
function doorLeaf(shell: Sculpture, color: readonly [number, number, number], w: number, h: number): void {
  // Pale doors are painted, dark ones show their grain.
  const leaf =
    color[2] > 200
      ? finish('door paint', color, { roughness: 0.4 })
      : finish('door leaf', color, { surface: 'wood', tile: 0.9, roughness: 0.5 })
  shell.box(leaf, [0.04, w, h], [-0.045, 0, h / 2], 0.003)
  for (const [low, high] of [
    [0.12, 0.9],
    [1.02, h - 0.12],
  ] as const) {
    for (const y of [-1, 1])
      shell.box(leaf, [0.012, w / 2 - 0.16, high - low], [-0.022, y * (w / 4 - 0.01), (low + high) / 2], 0.006)
  }
  const y = w / 2 - 0.07
  shell.box(chrome(), [0.008, 0.035, 0.2], [-0.022, y, 1.02], 0.003)
  shell.tube(
    chrome(),
    [
      [-0.02, y, 1.04],
      [0.03, y, 1.04],
      [0.034, y - 0.02, 1.04],
      [0.034, y - 0.12, 1.04],
    ],
    0.009,
    8,
  )
}

function drawWindow(
  shell: Sculpture,
  scene: Scene,
  { id, room: roomId, side, along: middle, width: w, sill, height: h }: Scene['windows'][number],
): void {
  const room = roomOf(scene, roomId)
  const { lighting = 'day' } = scene
  const white = finish('window frame', [248, 248, 246], { roughness: 0.35 })
  const reveal = paint([240, 238, 232])
  atOpening(shell, room, side, middle, () => {
    const deep = OUTER_WALL
    const mid = -deep / 2
    for (const y of [-1, 1]) shell.box(reveal, [deep, 0.01, h], [mid, y * (w / 2 + 0.004), sill + h / 2], 0)
    for (const z of [0, 1]) shell.box(reveal, [deep, w, 0.01], [mid, 0, z ? sill + h + 0.004 : sill - 0.004], 0)
    // Sill board, frame, bars and panes.
    shell.box(white, [0.18, w + 0.06, 0.03], [-0.07, 0, sill + 0.001], 0.006)
    const x = -0.16
    const t = 0.055
    for (const y of [-1, 1]) shell.box(white, [0.06, t, h], [x, y * (w / 2 - t / 2), sill + h / 2], 0.006)
    for (const z of [0, 1]) shell.box(white, [0.06, w, t], [x, 0, z ? sill + h - t / 2 : sill + t / 2 + 0.015], 0.006)
    if (w > 1) shell.box(white, [0.055, 0.07, h], [x, 0, sill + h / 2], 0.006)
    if (h > 1) shell.box(white, [0.04, w, 0.03], [x, 0, sill + h * 0.68], 0.004)
    shell.box(chrome(), [0.03, 0.018, 0.11], [x + 0.045, w > 1 ? 0 : w / 2 - 0.03, sill + h * 0.45], 0.005)
    shell.panel(glass(), w - 0.08, h - 0.08, [x, 0, sill + h / 2])
    const view = { place: (scene.seed * 7 + SIDES.indexOf(side)) % OUTDOOR_PLACES, part: id % 4, lighting }
    shell.panel(
      printed(`outdoors ${view.place} ${view.part} ${lighting}`, () => outdoorView(view), {
        glow: EXPOSURE[lighting],
        roughness: 1,
      }),
      w + 0.02,
      h + 0.02,
      [-deep - 0.004, 0, sill + h / 2],
    )
  })
}

export function roomOf(scene: Scene, id: number): SceneRoom {
  const room = scene.rooms.find((candidate) => candidate.id === id)
  if (!room) throw new UserError(`The scene names a room ${id} that it does not have.`)
  return room
}
