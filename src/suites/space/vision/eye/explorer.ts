/** Where the eye looks next: around itself, then into every room behind a door, then again for what is missing. */
import { headingIndex, rotateHeading } from '../../grid/relations.ts'
import { type Entity, HEADINGS, type Pose, type Vec } from '../../grid/scene.ts'
import { entitiesOf, isVisible, poseAt, START } from '../../grid/view.ts'
import { movesInWords, shortestRoute } from '../../tasks/moves.ts'
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
 * Places not looked from yet: any, while something of the list has not been found; else those that show a thing whose
 * front is not clear, because it looks the same from where it was seen.
 */
function moreViews(memory: EyeMemory): Pose[] {
  const { scene, labels, things } = memory
  const isMissing = labels.some(({ name }) => !things.has(name))
  const unclear = scene.objects.filter(({ name }) => !isSettled(things.get(name)!))
  if (!isMissing && unclear.length === 0) return []
  const places: (Entity | typeof START)[] = [START, ...entitiesOf(scene)]
  return places
    .flatMap((place) => HEADINGS.map((heading) => poseAt(scene, place, heading)))
    .filter((pose) => {
      const { pos, heading } = pose
      const cell: Vec = [pos[0] - scene.start.pos[0], pos[1] - scene.start.pos[1]]
      if (hasLooked(memory, cell, heading)) return false
      return isMissing || unclear.some((object) => isVisible(pose, object))
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
