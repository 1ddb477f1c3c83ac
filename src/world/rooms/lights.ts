/** Where a scene's light comes from: the sky in its windows, the sun through them, its ceiling lamps. */
import { buildInstance } from '../objects/instance.ts'
import type { AreaLight, FloorRect, LightSetup, Rgb } from '../light/bake.ts'
import { turnOf } from '../trig.ts'
import type { Lighting, Scene, SceneRoom, SceneWindow } from './scene.ts'
import { sidePlane } from './sides.ts'
import { roomOf } from './shell.ts'

const SUN: Rgb = [3.4, 3.0, 2.35]
/** What the hour and the weather do to the sky in the windows, to the lamps, and to what the room throws back. */
const HOURS: Readonly<Record<Lighting, { sky: Rgb; lamps: number; ambient: number }>> = {
  day: { sky: [3.3, 3.6, 4.0], lamps: 1, ambient: 1 },
  overcast: { sky: [2.5, 2.6, 2.75], lamps: 1, ambient: 0.92 },
  evening: { sky: [0.06, 0.08, 0.14], lamps: 1.35, ambient: 0.74 },
}
const LAMP: Rgb = [1, 0.93, 0.82]
const PANEL: Rgb = [0.95, 0.98, 1]
const LAMPS: Readonly<Record<string, { color: Rgb; power: number; half: readonly [number, number] }>> = {
  'ceiling lamp': { color: LAMP, power: 3.4, half: [0.25, 0.25] },
  'light panel': { color: PANEL, power: 2.8, half: [0.14, 0.58] },
  lamp: { color: LAMP, power: 0.35, half: [0.12, 0.12] },
  'floor lamp': { color: LAMP, power: 0.5, half: [0.18, 0.18] },
  'desk lamp': { color: LAMP, power: 0.3, half: [0.08, 0.08] },
}

/** Rays of the finer bake. */
const RICH_RAYS = 24

/** `rich` light also carries the colors of floor and walls to what faces them. */
export function lightsOf(scene: Scene, rich = false): LightSetup {
  const { lighting = 'day' } = scene
  const hour = HOURS[lighting]
  const areas = scene.windows.map((window) => windowLight(scene, window, hour.sky))
  for (const placed of scene.objects) {
    const { category, position, yaw, support, room } = placed
    const lamp = LAMPS[category]
    if (!lamp) continue
    const { size } = buildInstance(placed)
    const [c, s] = turnOf(yaw)
    const { half, color, power } = lamp
    const radiance = (power * hour.lamps) / (4 * half[0] * half[1] * 3.2)
    const z = support === 'ceiling' ? position[2] - 0.03 : position[2] + size[2] * 0.55
    areas.push({
      center: [position[0], position[1], z],
      u: [c * half[0], s * half[0], 0],
      v: [-s * half[1], c * half[1], 0],
      normal: [0, 0, -1],
      color: [color[0] * radiance, color[1] * radiance, color[2] * radiance],
      samples: category === 'light panel' ? [1, 2] : support === 'ceiling' ? [2, 2] : [1, 1],
      reach: support === 'ceiling' ? 7 : 2.5,
      homes: homesOf(scene, roomOf(scene, room)),
    })
  }
  const gates = areas
    .slice(0, scene.windows.length)
    .map(({ center, u, normal, v }) => ({ center, u, normal, height: v[2] * 2 }))
  const rooms = scene.rooms.map((room) => ({ room, light: ambientOf(scene, room, hour.ambient) }))
  return {
    areas,
    ...(lighting === 'day' ? { sun: { direction: scene.sun, color: SUN, gates } } : {}),
    ambientReach: 1.1,
    ...(rich ? { ambientRays: RICH_RAYS, cell: RICH_CELL } : {}),
    ambient: (x, y, _z, nx, ny, nz) => {
      const { room, light } = rooms.find((candidate) => isIn(candidate.room, x, y)) ?? rooms[0]!
      return rich ? thrownBack(room, light, nx, ny, nz) : light
    },
  }
}

const RICH_CELL = 0.04

function isIn({ x: [west, east], y: [south, north] }: SceneRoom, x: number, y: number): boolean {
  return x >= west - 0.02 && x <= east + 0.02 && y >= south - 0.02 && y <= north + 0.02
}

/** How much of a surface's color the light has that comes from it. */
const BLEED = 0.55

/** What faces down is lit by the floor, what faces up by the ceiling, what stands upright by the wall across. */
function thrownBack({ floor, walls, ceiling }: SceneRoom, light: Rgb, nx: number, ny: number, nz: number): Rgb {
  const side = nx * nx + ny * ny
  const [up, down] = nz > 0 ? [nz * nz, 0] : [0, nz * nz]
  const tint = (k: 0 | 1 | 2): number => {
    const color = (ceiling.color[k] * up + floor.color[k] * down + walls.color[k] * side) / 255
    return light[k] * (1 - BLEED + BLEED * 1.12 * color)
  }
  return [tint(0), tint(1), tint(2)]
}

/** The room and those next door, each a little larger than it is, so that its own walls are in it. */
function homesOf({ rooms, doors }: Scene, own: SceneRoom): FloorRect[] {
  const next = rooms.filter(
    (room) => room !== own && doors.some(({ rooms: ends }) => ends.includes(own.id) && ends.includes(room.id)),
  )
  return [own, ...next].map(({ x, y }) => ({ x: [x[0] - 0.05, x[1] + 0.05], y: [y[0] - 0.05, y[1] + 0.05] }))
}

/** What is thrown back and forth in a room: more with large windows and pale walls, tinted by floor and walls. */
function ambientOf(scene: Scene, room: SceneRoom, share: number): Rgb {
  const area = (room.x[1] - room.x[0]) * (room.y[1] - room.y[0])
  let glazed = 0
  for (const { room: id, width, height } of scene.windows) if (id === room.id) glazed += width * height
  const daylight = Math.min(0.16, (glazed / area) * 0.9)
  const level = (0.37 + daylight) * share
  const tint = (k: 0 | 1 | 2): number =>
    level * (0.86 + 0.1 * (room.walls.color[k] / 255) + 0.04 * (room.floor.color[k] / 255))
  return [tint(0) * 1.01, tint(1), tint(2) * 1.01]
}

function windowLight(scene: Scene, { room: id, side, along, width, sill, height }: SceneWindow, sky: Rgb): AreaLight {
  const room = roomOf(scene, id)
  const plane = sidePlane(room, side)
  const upright = side === 'west' || side === 'east'
  const inwards = side === 'west' || side === 'south' ? 1 : -1
  const z = sill + height / 2
  return {
    center: upright ? [plane - inwards * 0.02, along, z] : [along, plane - inwards * 0.02, z],
    u: upright ? [0, width / 2, 0] : [width / 2, 0, 0],
    v: [0, 0, height / 2],
    normal: upright ? [inwards, 0, 0] : [0, inwards, 0],
    color: sky,
    samples: [3, 2],
    reach: 12,
    homes: homesOf(scene, room),
  }
}
