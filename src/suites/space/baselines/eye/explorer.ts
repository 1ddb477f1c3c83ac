/** Decides where to look next: around itself, into every room behind a door, then for whatever is still missing. */
import { aheadOf, headingIndex, rightOf, rotateHeading } from '../../domain/grid/relations.ts'
import { type Entity, HEADINGS, type Pose, type Scene, type Vec } from '../../domain/grid/scene.ts'
import { entitiesOf, isVisible, poseAt, roomsAt, START } from '../../domain/grid/view.ts'
import { movesText, shortestRoute } from '../../domain/explore/moves.ts'
import { type EyeMemory, hasClearFacing, type MappedEntity } from './memory.ts'

/** The actions of the next turn, or null if there is nothing left to look for. */
export function nextLook(memory: EyeMemory): string | null {
  // Planning needs a first look.
  if (memory.looks.length === 0) return 'Observe()'
  const around = HEADINGS.map((_, i) => rotateHeading(memory.heading, 90 * i)).find((heading) =>
    needsLook(memory, memory.pos, heading),
  )
  if (around !== undefined) return observe(memory.pose, { ...memory.pose, heading: around })
  return shortest(memory, unseenRooms(memory)) ?? shortest(memory, moreViews(memory))
}

function hasLooked({ looks }: EyeMemory, [x, y]: Vec, heading: Vec): boolean {
  return looks.some(
    ({ pos, heading: to }) => pos[0] === x && pos[1] === y && to[0] === heading[0] && to[1] === heading[1],
  )
}

/** From the start, every heading; from a doorway, headings toward walls that have not been measured. */
function needsLook(memory: EyeMemory, pos: Vec, heading: Vec): boolean {
  if (hasLooked(memory, pos, heading)) return false
  if (pos[0] === 0 && pos[1] === 0) return true
  const door = [...memory.entities.values()].find(
    (entity) => entity.axis && entity.pos[0] === pos[0] && entity.pos[1] === pos[1],
  )
  return door !== undefined && unseenHeadings(memory, door).some(([x, y]) => x === heading[0] && y === heading[1])
}

/** Headings from a doorway toward walls that have not been seen, in both rooms. */
function unseenHeadings(memory: EyeMemory, { pos, axis }: MappedEntity): Vec[] {
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
    const entity = memory.entities.get(door.name)
    return entity === undefined ? [] : unseenHeadings(memory, entity).map((heading) => poseAt(scene, door, heading))
  })
}

/**
 * Poses not looked from yet. While a listed object is missing: those that show most of the cells where it may be. After
 * that: those that show an object whose facing is still ambiguous.
 */
function moreViews(memory: EyeMemory): Pose[] {
  const { scene, labels, entities } = memory
  const places: (Entity | typeof START)[] = [START, ...entitiesOf(scene)]
  const fresh = places
    .flatMap((place) => HEADINGS.map((heading) => poseAt(scene, place, heading)))
    .filter(({ pos, heading }) => {
      const cell: Vec = [pos[0] - scene.start.pos[0], pos[1] - scene.start.pos[1]]
      return !hasLooked(memory, cell, heading)
    })
  if (labels.some(({ name }) => !entities.has(name))) return mostRevealing(memory, fresh)
  const ambiguous = scene.objects.filter(({ name }) => !hasClearFacing(entities.get(name)!))
  return fresh.filter((pose) => ambiguous.some((object) => isVisible(pose, object)))
}

function mostRevealing(memory: EyeMemory, poses: readonly Pose[]): Pose[] {
  const { scene } = memory
  const unknown = memory.unknownCells()
  let most = 0
  let best: Pose[] = []
  for (const pose of poses) {
    if (shortestRoute(scene, memory.pose, pose) === null) continue
    const count = unknown.filter((cell) => isCellInView(scene, pose, cell)).length
    if (count < most) continue
    if (count > most) best = []
    most = count
    best.push(pose)
  }
  return best
}

/** An object this close to a line of sight occludes what is behind it, in cells. */
const OCCLUSION_RADIUS = 0.45

/** Would an object on this cell be in view, with no known object in front of it? */
function isCellInView(scene: Scene, pose: Pose, cell: Vec): boolean {
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
    return along <= 0.5 || along >= distance - 0.5 || across > OCCLUSION_RADIUS
  })
}

function shortest(memory: EyeMemory, goals: readonly Pose[]): string | null {
  let best: string | null = null
  let fewest = Infinity
  for (const goal of goals) {
    const steps = shortestRoute(memory.scene, memory.pose, goal)
    if (steps === null || steps.length >= fewest) continue
    fewest = steps.length
    best = steps.length === 0 ? 'Observe()' : `${movesText(steps)}, Observe()`
  }
  return best
}

function observe(from: Pose, to: Pose): string {
  const quarters = (headingIndex(to.heading) - headingIndex(from.heading) + 4) % 4
  return quarters === 0 ? 'Observe()' : `Rotate(${quarters * 90}), Observe()`
}
