/** What must hold in every scene; each broken rule is a sentence. Tests and the benchmark call it. */
import { AXES } from '../axes.ts'
import { BoxCaster } from '../light/boxes.ts'
import { buildInstance } from '../objects/instance.ts'
import type { ObjectModel } from '../objects/model.ts'
import { turnOf } from '../trig.ts'
import { sceneOccluders } from './assemble.ts'
import { type Box, boundsAt, overlap } from './boxes.ts'
import { missingEssentials } from './essentials.ts'
import { doorsOn } from './floor-plan.ts'
import { intersect } from './parts.ts'
import { FACING, SIDES } from './planner.ts'
import type { PlacedObject, Scene, SceneRoom } from './scene.ts'
import { sidePlane, sideSpan } from './sides.ts'
import { BODY_RADIUS, reachOf } from './walkable.ts'

export interface Violation {
  rule: 'intersection' | 'floating' | 'outside' | 'unreachable' | 'hidden' | 'incomplete'
  what: string
}

/** Boxes may touch, and be rounded to a millimeter. */
const TOLERANCE = 0.003
const EYE = 1.5

interface Thing extends Omit<PlacedObject, 'size'> {
  size: readonly [number, number, number]
  model: ObjectModel
  bounds: Box
}

export function checkScene(scene: Scene): Violation[] {
  const things = thingsOf(scene)
  return [
    ...intersections(things),
    ...supports(scene, things),
    ...ways(scene, things),
    ...hidden(scene, things),
    ...incomplete(scene),
  ]
}

function incomplete({ rooms, objects }: Scene): Violation[] {
  return rooms.flatMap(({ id, kind }) =>
    missingEssentials(
      kind,
      objects.filter(({ room }) => room === id),
    ).map((choice) => ({ rule: 'incomplete', what: `${kind} ${id} has no ${choice.join(' or ')}` }) as const),
  )
}

function thingsOf(scene: Scene): Thing[] {
  return scene.objects.map((placed) => {
    const model = buildInstance(placed)
    const { size } = model
    return { ...placed, size, model, bounds: boundsAt(size, placed.position, placed.yaw) }
  })
}

const name = ({ category, instance }: Pick<PlacedObject, 'category' | 'instance'>): string => `${category} ${instance}`

function intersections(things: readonly Thing[]): Violation[] {
  const found: Violation[] = []
  things.forEach((a, i) => {
    for (const b of things.slice(i + 1)) {
      if (a.support === b.instance || b.support === a.instance || !overlap(a.bounds, b.bounds)) continue
      if (intersect(a, b, TOLERANCE)) found.push({ rule: 'intersection', what: `${name(a)} and ${name(b)}` })
    }
  })
  return found
}

function supports(scene: Scene, things: readonly Thing[]): Violation[] {
  const found: Violation[] = []
  for (const thing of things) {
    const room = scene.rooms.find(({ id }) => id === thing.room)
    if (!room || !within(thing.bounds, room, scene.height))
      found.push({ rule: 'outside', what: `${name(thing)} is not inside room ${thing.room}` })
    else if (!isHeld(scene, room, thing, things))
      found.push({ rule: 'floating', what: `${name(thing)} does not rest on ${thing.support}` })
  }
  return found
}

function within({ x, y, z }: Box, room: SceneRoom, height: number): boolean {
  return (
    x[0] > room.x[0] - TOLERANCE &&
    x[1] < room.x[1] + TOLERANCE &&
    y[0] > room.y[0] - TOLERANCE &&
    y[1] < room.y[1] + TOLERANCE &&
    z[0] > -TOLERANCE &&
    z[1] < height + TOLERANCE
  )
}

function isHeld(scene: Scene, room: SceneRoom, thing: Thing, things: readonly Thing[]): boolean {
  const { support, position, size, yaw } = thing
  if (support === 'floor') return position[2] === 0
  if (support === 'ceiling') return Math.abs(position[2] + size[2] - scene.height) < TOLERANCE
  if (support === 'wall') return hangsOnWall(scene, room, thing)
  const below = things.find(({ instance }) => instance === support)
  if (!below) return false
  const [c, s] = turnOf(-below.yaw)
  const dx = position[0] - below.position[0]
  const dy = position[1] - below.position[1]
  const flat = boundsAt(size, [c * dx - s * dy, s * dx + c * dy, position[2] - below.position[2]], yaw - below.yaw)
  return below.model.surfaces.some(
    ({ x, y, z }) =>
      Math.abs(flat.z[0] - z) < TOLERANCE &&
      flat.x[0] > x[0] - TOLERANCE &&
      flat.x[1] < x[1] + TOLERANCE &&
      flat.y[0] > y[0] - TOLERANCE &&
      flat.y[1] < y[1] + TOLERANCE,
  )
}

/** Its back touches a wall, and there is wall behind it; only curtains hang before a window. */
function hangsOnWall(scene: Scene, room: SceneRoom, { category, yaw, bounds }: Thing): boolean {
  const side = SIDES.find((candidate) => FACING[candidate] === yaw)
  if (!side) return false
  const upright = side === 'west' || side === 'east'
  const across = upright ? bounds.x : bounds.y
  const back = side === 'west' || side === 'south' ? across[0] : across[1]
  if (Math.abs(back - sidePlane(room, side)) > 0.006) return false
  if (category === 'curtain') return true
  const [from, to] = upright ? bounds.y : bounds.x
  const behind = (middle: number, width: number, low: number, high: number): boolean =>
    from < middle + width / 2 - TOLERANCE &&
    to > middle - width / 2 + TOLERANCE &&
    bounds.z[0] < high - TOLERANCE &&
    bounds.z[1] > low + TOLERANCE
  const doors = doorsOn(room, side, scene.doors).some(({ along, width, height }) => behind(along, width, 0, height))
  const windows = scene.windows.some(
    (window) =>
      window.room === room.id &&
      window.side === side &&
      behind(window.along, window.width, window.sill, window.sill + window.height),
  )
  return !doors && !windows
}

/** Where one stands just inside each door of a room. */
function doorsteps(scene: Scene, room: SceneRoom): (readonly [number, number])[] {
  const step = BODY_RADIUS + 0.15
  return SIDES.flatMap((side) =>
    doorsOn(room, side, scene.doors).map(({ along }) => {
      const plane = sidePlane(room, side)
      const across = side === 'west' || side === 'south' ? plane + step : plane - step
      return side === 'west' || side === 'east' ? ([across, along] as const) : ([along, across] as const)
    }),
  )
}

function ways(scene: Scene, things: readonly Thing[]): Violation[] {
  const found: Violation[] = []
  const reached = new Set<number>()
  const open = [scene.doors.find(({ rooms }) => rooms[1] === null)?.rooms[0] ?? scene.rooms[0]!.id]
  while (open.length > 0) {
    const id = open.pop()!
    if (reached.has(id)) continue
    reached.add(id)
    for (const { rooms } of scene.doors) {
      if (rooms[1] !== null && (rooms[0] === id || rooms[1] === id)) open.push(rooms[0] === id ? rooms[1] : rooms[0])
    }
  }
  for (const room of scene.rooms) {
    const starts = doorsteps(scene, room)
    if (!reached.has(room.id) || starts.length === 0) {
      found.push({ rule: 'unreachable', what: `room ${room.id} has no way in` })
      continue
    }
    const boxes = things.filter((thing) => thing.room === room.id).map(({ bounds }) => bounds)
    const { joined, area } = reachOf(room, boxes, starts)
    if (!joined) found.push({ rule: 'unreachable', what: `the doors of room ${room.id} are cut off from each other` })
    else if (area < 0.5)
      found.push({ rule: 'unreachable', what: `only ${area.toFixed(2)} m² of room ${room.id} can be walked on` })
  }
  return found
}

/** Places to look from: doorsteps and a grid of free floor, at eye height. */
function standpoints(scene: Scene, room: SceneRoom, things: readonly Thing[]): (readonly [number, number])[] {
  const points = doorsteps(scene, room)
  const [x0, x1] = sideSpan(room, 'south')
  const [y0, y1] = sideSpan(room, 'west')
  for (let x = x0 + 0.3; x < x1 - 0.2; x += 0.45) {
    for (let y = y0 + 0.3; y < y1 - 0.2; y += 0.45) {
      const body: Box = { x: [x - 0.15, x + 0.15], y: [y - 0.15, y + 0.15], z: [0.05, 1.7] }
      if (!things.some(({ bounds }) => overlap(body, bounds))) points.push([x, y])
    }
  }
  return points
}

function hidden(scene: Scene, things: readonly Thing[]): Violation[] {
  return unseen(scene, things).map((thing) => ({
    rule: 'hidden',
    what: `${name(thing)} cannot be seen from anywhere in room ${thing.room}`,
  }))
}

/** Things that nobody who stands in their room can see. */
export function hiddenObjects(scene: Scene): PlacedObject[] {
  const things = unseen(scene, thingsOf(scene))
  return scene.objects.filter(({ instance }) => things.some((thing) => thing.instance === instance))
}

function unseen(scene: Scene, things: readonly Thing[]): Thing[] {
  const caster = new BoxCaster(sceneOccluders(scene))
  return scene.rooms.flatMap((room) => {
    const own = things.filter((thing) => thing.room === room.id)
    const eyes = standpoints(scene, room, own)
    return own.filter((thing) => !eyes.some((eye) => isSeen(caster, thing, eye)))
  })
}

/** Rays from the eye to just outside the faces that look toward it: the thing itself is not in their way. */
function isSeen(caster: BoxCaster, { size, position, yaw }: Thing, [ex, ey]: readonly [number, number]): boolean {
  const [c, s] = turnOf(yaw)
  for (const [nx, ny, nz] of AXES) {
    for (const [a, b] of [
      [0, 0],
      [0.7, 0.7],
      [-0.7, 0.7],
      [0.7, -0.7],
      [-0.7, -0.7],
    ] as const) {
      const lx = (nx === 0 ? a * size[0] : nx * (size[0] + 0.02)) / 2
      const ly = (ny === 0 ? (nx === 0 ? b : a) * size[1] : ny * (size[1] + 0.02)) / 2
      const lz = (nz === 0 ? (1 + b) * size[2] : nz > 0 ? 2 * size[2] + 0.02 : -0.02) / 2
      const x = position[0] + c * lx - s * ly
      const y = position[1] + s * lx + c * ly
      const z = position[2] + lz
      const dx = ex - x
      const dy = ey - y
      const dz = EYE - z
      const facing = nz === 0 ? (c * nx - s * ny) * dx + (s * nx + c * ny) * dy : nz * dz
      if (facing <= 0) continue
      const d = Math.sqrt(dx * dx + dy * dy + dz * dz)
      if (!caster.blocked(ex, ey, EYE, -dx / d, -dy / d, -dz / d, d)) return true
    }
  }
  return false
}
