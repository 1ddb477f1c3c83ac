/** A free cell to stand on, a heading, and what counts as the origin there. */
import type { Random } from '../../../../suite.ts'
import { HEADINGS, type Pose, type Scene, type Vec } from '../../domain/grid/scene.ts'
import { entityAt } from '../../domain/grid/view.ts'
import { floorCells } from '../../domain/grid/distance-score.ts'
import { pickByView, sightingsFrom } from './draw.ts'
import type { Sighting } from '../../domain/answers/question.ts'

const DRAWS = 20
const TRIES_PER_DRAW = 10
const FEWEST_IN_VIEW = 2

export interface Standpoint {
  pose: Pose
  /** All that is in view. */
  view: Sighting[]
  origin: Vec
  /** What tells the player about the origin, with its line break. */
  originText: string
}

const usable = new WeakMap<Scene, readonly (readonly [room: number, cells: readonly Vec[]])[]>()

/** Rooms that have two objects more than one cell apart, with their cells. */
function usableRooms(scene: Scene): readonly (readonly [room: number, cells: readonly Vec[]])[] {
  let rooms = usable.get(scene)
  if (rooms === undefined) {
    const cells = new Map<number, Vec[]>()
    for (const cell of floorCells(scene)) {
      const room = scene.mask[cell[0]]![cell[1]]!
      const known = cells.get(room)
      if (known) known.push(cell)
      else cells.set(room, [cell])
    }
    rooms = [...cells].filter(([room]) => hasObjectsApart(scene, room)).sort(([a], [b]) => a - b)
    usable.set(scene, rooms)
  }
  return rooms
}

function hasObjectsApart(scene: Scene, room: number): boolean {
  for (const a of scene.objects) {
    if (a.room !== room) continue
    for (const b of scene.objects) {
      if (b.room === room && (a.pos[0] - b.pos[0]) ** 2 + (a.pos[1] - b.pos[1]) ** 2 > 1) return true
    }
  }
  return false
}

export function drawStandpoint(scene: Scene, random: Random): Standpoint | null {
  const rooms = usableRooms(scene)
  if (rooms.length === 0) return null
  const candidates: { pose: Pose; view: Sighting[] }[] = []
  for (let draw = 0; draw < DRAWS; draw++) {
    const [room, cells] = random.pick(rooms)
    for (let i = 0; i < TRIES_PER_DRAW; i++) {
      const pos = random.pick(cells)
      if (entityAt(scene, pos) !== undefined) continue
      const pose: Pose = { pos, heading: random.pick(HEADINGS), rooms: [room] }
      candidates.push({ pose, view: sightingsFrom(scene, pose) })
      break
    }
  }
  const chosen = pickByView(random, candidates, FEWEST_IN_VIEW)
  return chosen === null ? null : { ...chosen, ...originFor(scene, random, chosen.pose.rooms[0]!) }
}

/** The start in its own room; elsewhere one of the doors of the room. */
function originFor(scene: Scene, random: Random, room: number): { origin: Vec; originText: string } {
  const doors = scene.doors.filter(({ rooms }) => rooms.includes(room))
  if (room === scene.start.room || doors.length === 0) {
    return { origin: scene.start.pos, originText: 'Still treat your initial position as origin (0, 0)\n' }
  }
  const door = random.pick(doors)
  return { origin: door.pos, originText: `Treat the ${door.name} as the new 'origin' (0, 0).\n` }
}
