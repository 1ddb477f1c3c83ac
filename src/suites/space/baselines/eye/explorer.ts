/** Where the eye looks next: around itself, then into every room behind a door, then again for what is missing. */
import { aheadOf, headingIndex, rightOf, rotateHeading } from '../../domain/grid/relations.ts'
import { type Entity, HEADINGS, type Pose, type Scene, type Vec } from '../../domain/grid/scene.ts'
import { entitiesOf, isVisible, poseAt, roomsAt, START } from '../../domain/grid/view.ts'
import { movesInWords, shortestRoute } from '../../domain/explore/moves.ts'
import { type EyeMemory, isSettled, type Thing } from './memory.ts'

/** The actions of the next turn, or null when there is nothing left to look for. */
export function nextLook(memory: EyeMemory): string | null {
  // Nothing can be planned before the first look.
  if (memory.looks.length === 0) return 'Observe()'
  const around = HEADINGS.map((_, i) => rotateHeading(memory.heading, 90 * i)).find((heading) =>
    wants(memory, memory.pos, heading),
  )
  if (around !== undefined) return observe(memory, memory.pose, { ...memory.pose, heading: around })
  return shortest(memory, unseenRooms(memory)) ?? shortest(memory, moreViews(memory))
}

function hasLooked({ looks }: EyeMemory, [x, y]: Vec, heading: Vec): boolean {
  return looks.some(
    ({ pos, heading: to }) => pos[0] === x && pos[1] === y && to[0] === heading[0] && to[1] === heading[1],
  )
}

/** All around from the start; in a doorway whatever of the rooms on both sides has not been measured. */
function wants(memory: EyeMemory, pos: Vec, heading: Vec): boolean {
  if (hasLooked(memory, pos, heading)) return false
  if (pos[0] === 0 && pos[1] === 0) return true
  const door = [...memory.things.values()].find(
    (thing) => thing.axis && thing.pos[0] === pos[0] && thing.pos[1] === pos[1],
  )
  return door !== undefined && opens(memory, door).some(([x, y]) => x === heading[0] && y === heading[1])
}

/** Headings from a doorway along which a room behind it has a wall that was not seen. */
function opens(memory: EyeMemory, { pos, axis }: Thing): Vec[] {
  if (axis === null) return []
  return [axis, [-axis[0], -axis[1]] as const].flatMap((into) => {
    const room = memory.roomAround([pos[0] + into[0], pos[1] + into[1]])
    const headings = [into, rotateHeading(into, 90), rotateHeading(into, -90)]
    return headings.filter((heading) => room === undefined || room.sides[headingIndex(heading)] === null)
  })
}

function unseenRooms(memory: EyeMemory): Pose[] {
  const { scene } = memory
  return scene.doors.flatMap((door) => {
    const thing = memory.things.get(door.name)
    return thing === undefined ? [] : opens(memory, thing).map((heading) => poseAt(scene, door, heading))
  })
}

/**
 * Places not looked from yet: while something of the list has not been found, those that show most of the cells where it
 * may be; else those that show a thing whose front is not clear, because it looks the same from where it was seen.
 */
function moreViews(memory: EyeMemory): Pose[] {
  const { scene, labels, things } = memory
  const places: (Entity | typeof START)[] = [START, ...entitiesOf(scene)]
  const fresh = places
    .flatMap((place) => HEADINGS.map((heading) => poseAt(scene, place, heading)))
    .filter(({ pos, heading }) => {
      const cell: Vec = [pos[0] - scene.start.pos[0], pos[1] - scene.start.pos[1]]
      return !hasLooked(memory, cell, heading)
    })
  if (labels.some(({ name }) => !things.has(name))) return mostRevealing(memory, fresh)
  const unclear = scene.objects.filter(({ name }) => !isSettled(things.get(name)!))
  return fresh.filter((pose) => unclear.some((object) => isVisible(pose, object)))
}

function mostRevealing(memory: EyeMemory, poses: readonly Pose[]): Pose[] {
  const { scene } = memory
  const unknown = memory.unknownCells()
  let most = 0
  let best: Pose[] = []
  for (const pose of poses) {
    if (shortestRoute(scene, memory.pose, pose) === null) continue
    const count = unknown.filter((cell) => isOpenTo(scene, pose, cell)).length
    if (count < most) continue
    if (count > most) best = []
    most = count
    best.push(pose)
  }
  return best
}

/** How far from a line of sight a thing still hides what is behind it, cells. */
const HIDES_WITHIN = 0.45

/** Would something on this cell be in view, with nothing known in front of it? */
function isOpenTo(scene: Scene, pose: Pose, cell: Vec): boolean {
  const { pos, heading, rooms } = pose
  const [dx, dy] = [cell[0] - pos[0], cell[1] - pos[1]]
  const ahead = aheadOf(heading, dx, dy)
  if (Math.abs(rightOf(heading, dx, dy)) > ahead || ahead === 0) return false
  if (!roomsAt(scene, cell).some((room) => rooms.includes(room))) return false
  const distance = Math.hypot(dx, dy)
  return scene.objects.every(({ pos: other }) => {
    const [ox, oy] = [other[0] - pos[0], other[1] - pos[1]]
    const along = (ox * dx + oy * dy) / distance
    const across = Math.abs(ox * dy - oy * dx) / distance
    return along <= 0.5 || along >= distance - 0.5 || across > HIDES_WITHIN
  })
}

function shortest(memory: EyeMemory, goals: readonly Pose[]): string | null {
  let best: string | null = null
  let fewest = Infinity
  for (const goal of goals) {
    const steps = shortestRoute(memory.scene, memory.pose, goal)
    if (steps === null || steps.length >= fewest) continue
    fewest = steps.length
    best = steps.length === 0 ? 'Observe()' : `${movesInWords(steps)}, Observe()`
  }
  return best
}

function observe(memory: EyeMemory, from: Pose, to: Pose): string {
  const quarters = (headingIndex(to.heading) - headingIndex(from.heading) + 4) % 4
  return quarters === 0 ? 'Observe()' : `Rotate(${quarters * 90}), Observe()`
}
