/**
 * What the shape of the JSON does not say about a scene: what it names is there, and it is of a size that can be built.
 * Scenes may be written by hand or by anybody; one mistaken number must be told, not end the program for want of memory.
 */
import type { Scene, SceneRoom, Side } from './scene.ts'
import { sideSpan } from './sides.ts'

/** More floor than a school has. Its triangles are still counted in millions. */
const MAX_SQUARE_METERS = 4000

export interface Fault {
  path: (string | number)[]
  message: string
}

export function faultsOf(scene: Scene): Fault[] {
  const faults: Fault[] = []
  const tell = (path: (string | number)[], message: string): void => void faults.push({ path, message })
  const rooms = new Map(scene.rooms.map((room) => [room.id, room]))

  for (const [list, ids] of [
    ['rooms', scene.rooms.map(({ id }) => id)],
    ['doors', scene.doors.map(({ id }) => id)],
    ['windows', scene.windows.map(({ id }) => id)],
    ['objects', scene.objects.map(({ instance }) => instance)],
  ] as const) {
    const twice = ids.findIndex((id, i) => ids.indexOf(id) !== i)
    if (twice >= 0) tell([list, twice], `number ${ids[twice]} is given twice`)
  }

  scene.rooms.forEach(({ x, y }, i) => {
    if (!(x[0] < x[1])) tell(['rooms', i, 'x'], `it must begin before it ends, not go from ${x[0]} to ${x[1]}`)
    if (!(y[0] < y[1])) tell(['rooms', i, 'y'], `it must begin before it ends, not go from ${y[0]} to ${y[1]}`)
  })
  scene.rooms.forEach((room, i) =>
    (room.blocks ?? []).forEach(({ x, y }, k) => {
      const fits = (span: readonly number[], [from, to]: readonly [number, number]): boolean =>
        span[0]! < span[1]! && span[0]! >= from && span[1]! <= to
      if (!fits(x, room.x) || !fits(y, room.y)) tell(['rooms', i, 'blocks', k], 'it is not inside its room')
    }),
  )
  const area = scene.rooms.reduce((sum, { x, y }) => sum + (x[1] - x[0]) * (y[1] - y[0]), 0)
  if (area > MAX_SQUARE_METERS)
    tell(['rooms'], `they have ${Math.round(area)} m² of floor; at most ${MAX_SQUARE_METERS} can be built`)

  const opening = (where: (string | number)[], room: SceneRoom | undefined, hole: Opening): void => {
    const { side, along, width, top } = hole
    if (!room) return tell(where, 'its room is not among the rooms')
    const [from, to] = sideSpan(room, side)
    if (along - width / 2 < from || along + width / 2 > to)
      tell(where, `it does not fit into the ${side} wall of room ${room.id}, which goes from ${from} to ${to}`)
    if (top > scene.height) tell(where, `it is ${top} m high, the room only ${scene.height} m`)
  }
  scene.doors.forEach(({ rooms: [first, second], side, along, width, height }, i) => {
    opening(['doors', i], rooms.get(first), { side, along, width, top: height })
    if (second !== null && !rooms.has(second)) tell(['doors', i], 'its room is not among the rooms')
  })
  scene.windows.forEach(({ room, side, along, width, sill, height }, i) => {
    opening(['windows', i], rooms.get(room), { side, along, width, top: sill + height })
  })

  const instances = new Set(scene.objects.map(({ instance }) => instance))
  scene.objects.forEach(({ room, instance, support }, i) => {
    if (!rooms.has(room)) tell(['objects', i, 'room'], `there is no room ${room}`)
    if (typeof support === 'number' && (support === instance || !instances.has(support)))
      tell(['objects', i, 'support'], `there is no other object ${support}`)
  })
  return faults
}

interface Opening {
  side: Side
  along: number
  width: number
  /** Meters above the floor. */
  top: number
}
