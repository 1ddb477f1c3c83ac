/** Draws a viewpoint: a free cell, a heading, and the origin of its coordinates. */
import { memoized, type Random } from '../../../../suite.ts'
import { HEADINGS, type Pose, type Scene, type Vec } from '../../domain/grid/scene.ts'
import { cellsOfRoom, entityAt, roomIds } from '../../domain/grid/view.ts'
import { pickByView, sightingsFrom } from './draw.ts'
import type { Sighting } from '../../domain/answers/question.ts'

const DRAWS = 20
const TRIES_PER_DRAW = 10
const MIN_IN_VIEW = 2

export interface Viewpoint {
  pose: Pose
  /** Everything in view. */
  view: Sighting[]
  /** Everything in view but the door that is the origin: coordinates alone tell where that is. */
  untold: Sighting[]
  origin: Vec
  /** The sentence that states the origin, with its line break. */
  originText: string
}

/** Rooms with two objects more than one cell apart, and their cells. */
const usableRooms = memoized((scene: Scene) =>
  roomIds(scene)
    .filter((room) => hasObjectsApart(scene, room))
    .map((room) => ({ room, cells: cellsOfRoom(scene, room) })),
)

function hasObjectsApart({ objects }: Scene, room: number): boolean {
  const inRoom = objects.filter((object) => object.room === room).map(({ pos }) => pos)
  return inRoom.some((a) => inRoom.some((b) => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 > 1))
}

export function drawViewpoint(scene: Scene, random: Random): Viewpoint | null {
  const rooms = usableRooms(scene)
  if (rooms.length === 0) return null
  const candidates: { pose: Pose; view: Sighting[] }[] = []
  for (let draw = 0; draw < DRAWS; draw++) {
    const { room, cells } = random.pick(rooms)
    for (let i = 0; i < TRIES_PER_DRAW; i++) {
      const pos = random.pick(cells)
      if (entityAt(scene, pos) !== undefined) continue
      const pose: Pose = { pos, heading: random.pick(HEADINGS), rooms: [room] }
      candidates.push({ pose, view: sightingsFrom(scene, pose) })
      break
    }
  }
  const chosen = pickByView(random, candidates, MIN_IN_VIEW)
  if (chosen === null) return null
  const { name, ...origin } = originFor(scene, random, chosen.pose.rooms[0]!)
  return { ...chosen, ...origin, untold: chosen.view.filter((sighting) => sighting.name !== name) }
}

/** The start in its own room; elsewhere, one of the room's doors. */
function originFor(
  scene: Scene,
  random: Random,
  room: number,
): Pick<Viewpoint, 'origin' | 'originText'> & { name?: string } {
  const doors = scene.doors.filter(({ rooms }) => rooms.includes(room))
  if (room === scene.start.room || doors.length === 0) {
    return { origin: scene.start.pos, originText: 'Still treat your initial position as origin (0, 0)\n' }
  }
  const door = random.pick(doors)
  return { name: door.name, origin: door.pos, originText: `Treat the ${door.name} as the new 'origin' (0, 0).\n` }
}
