/**
 * Answers the nine tasks from a map and the text of the question, never from the stored answer. The answers are as good
 * as the map: perfect with the true one.
 */
import {
  bearingDegrees,
  type DistanceLabel,
  type EgoLabel,
  type HeadingName,
  headingNamed,
  rotateHeading,
} from '../domain/grid/relations.ts'
import { HEADINGS, NORTH, type Pose, type Scene, type Vec } from '../domain/grid/scene.ts'
import {
  egoRelation,
  entitiesOf,
  entityNamed,
  poseAt,
  roomsAt,
  startPose,
  visibleEntities,
} from '../domain/grid/view.ts'
import type { Profile } from '../domain/profile.ts'
import { cardinalRelation } from '../samples/questions/draw.ts'
import { movesText, shortestRoute } from '../domain/explore/moves.ts'
import { place } from '../domain/answers/place.ts'
import { coordinatesText } from '../domain/answers/places.ts'
import type { TaskName, Question, Sighting } from '../domain/answers/question.ts'
import { matchesView } from '../domain/answers/sightings.ts'

/** The answer if the map does not have one. */
const UNKNOWN = 'unknown'

/**
 * @example
 * answerFromText({ task: 'dir', text: '… describe where lamp is relative to sofa.\n…' }, map, 'fixed') // 'east, near'
 */
export function answerFromText({ task, text }: Pick<Question, 'task' | 'text'>, map: Scene, profile: Profile): string {
  return READERS[task](text, map, profile)
}

type Reader = (text: string, map: Scene, profile: Profile) => string

const READERS: Readonly<Record<TaskName, Reader>> = {
  dir: direction,
  pov: perspective,
  bwd_pov_text: standingAt,
  fwd_fov: afterWalk,
  bwd_nav_text: routeTo,
  e2a: coordinates,
  rot: turningOrder,
  fwd_loc: relationFromPosition,
  bwd_loc_text: ownPosition,
}

function captures(text: string, pattern: RegExp): readonly string[] {
  return pattern.exec(text)?.slice(1) ?? []
}

function direction(text: string, map: Scene): string {
  const [object, anchor] = captures(text, /describe where (.+) is relative to (.+)\.\n/).map((name) =>
    entityNamed(map, name),
  )
  if (!object || !anchor) return UNKNOWN
  const { direction: cardinal, distance } = cardinalRelation(anchor.pos, object.pos, NORTH)
  return `${cardinal}, ${distance}`
}

function perspective(text: string, map: Scene): string {
  const [anchorName, objectName] = captures(
    text,
    /jump to (.+)'s (?:direction|position), .*\nDescribe where (.+) is relative to you\./,
  )
  const anchor = entityNamed(map, anchorName ?? '')
  const object = entityNamed(map, objectName ?? '')
  if (anchor?.kind !== 'object' || !object) return UNKNOWN
  return egoRelation(object, { pos: anchor.pos, heading: anchor.heading })
}

/** `lamp is at front, near, facing left; …` */
function sightingsIn(text: string): Sighting[] {
  return text.split('; ').flatMap((one): Sighting[] => {
    const [, name, direction, distance, orientation] = /^(.+?) is (?:at )?([^,]+), ([^,]+)(?:, (.+))?$/.exec(one) ?? []
    if (name === undefined) return []
    return [
      { name, direction: direction as EgoLabel, distance: distance as DistanceLabel, orientation: orientation ?? null },
    ]
  })
}

function standingAt(text: string, map: Scene): string {
  const view = sightingsIn(captures(text, /You observe(?:, among other things,)? that (.+)\.\nWhich object/)[0] ?? '')
  const fitting = map.objects.find(
    (object) => object.oriented && matchesView(view, poseAt(map, object, object.heading), map),
  )
  return fitting?.name ?? map.objects[0]?.name ?? UNKNOWN
}

function afterWalk(text: string, map: Scene): string {
  const target = entityNamed(map, captures(text, /ego relation of (.+) relative to you\?/)[0] ?? '')
  let pose = startPose(map)
  for (const line of text.split('\n').filter((each) => /^\d+\. /.test(each))) {
    const turn = captures(line, /Rotate\((-?\d+)\)/)[0]
    const next: Pose | null =
      turn === undefined ? jumpFrom(line, pose, map) : { ...pose, heading: rotateHeading(pose.heading, Number(turn)) }
    if (next === null) return UNKNOWN
    pose = next
  }
  return target ? egoRelation(target, pose) : UNKNOWN
}

/** The pose after a jump whose target is described by its direction and distance. */
function jumpFrom(line: string, pose: Pose, map: Scene): Pose | null {
  const [only] = captures(line, /Jump to the object at (.+)\.$/)
  const [among, rank] = captures(line, /Among objects which are (.+) to you, you jump to the (\d+)\w+ from left/)
  const alike = visibleEntities(map, pose).filter((entity) => egoRelation(entity, pose) === (only ?? among))
  const bearing = (pos: Vec): number => bearingDegrees(pose.pos, pose.heading, pos)
  const square = ([x, y]: Vec): number => (x - pose.pos[0]) ** 2 + (y - pose.pos[1]) ** 2
  alike.sort((a, b) => bearing(a.pos) - bearing(b.pos) || square(a.pos) - square(b.pos))
  const target = alike[rank === undefined ? 0 : Number(rank) - 1]
  return target === undefined ? null : poseAt(map, target, pose.heading)
}

function routeTo(text: string, map: Scene): string {
  const view = sightingsIn(captures(text, /You observe the following(?:, among other things)?:\n(.+)\n/)[0] ?? '')
  let best: string | null = null
  let fewest = Infinity
  for (const entity of entitiesOf(map)) {
    for (const heading of HEADINGS) {
      const pose = poseAt(map, entity, heading)
      const steps = matchesView(view, pose, map) ? shortestRoute(map, startPose(map), pose) : null
      if (steps === null || steps.length >= fewest) continue
      fewest = steps.length
      best = movesText(steps)
    }
  }
  return best ?? movesText([{ turn: 90 }])
}

function coordinates(text: string, map: Scene): string {
  const names = (captures(text, /Objects: (.+)\.\n/)[0] ?? '').split(', ')
  const [x0, y0] = map.start.pos
  return coordinatesText(
    names.map((name): Vec => {
      const pos = entityNamed(map, name)?.pos ?? map.start.pos
      return [pos[0] - x0, pos[1] - y0]
    }),
  )
}

function turningOrder(text: string, map: Scene): string {
  const names = (captures(text, /set of objects: (.+)\.\n/)[0] ?? '').split(', ')
  const clockwise = !text.includes('counterclockwise')
  const { pos: start } = map.start
  const passing = names.map((name) => {
    const pos = entityNamed(map, name)?.pos ?? start
    const bearing = (bearingDegrees(start, NORTH, pos) + 360) % 360
    return {
      name,
      angle: clockwise ? bearing : (360 - bearing) % 360,
      square: (pos[0] - start[0]) ** 2 + (pos[1] - start[1]) ** 2,
    }
  })
  return passing
    .toSorted((a, b) => a.angle - b.angle || a.square - b.square)
    .map(({ name }) => name)
    .join(', ')
}

/** The start, unless the question makes a door the origin. */
function originIn(text: string, map: Scene): Vec {
  const door = captures(text, /Treat the (.+) as the new 'origin'/)[0]
  return (door === undefined ? undefined : entityNamed(map, door)?.pos) ?? map.start.pos
}

function relationFromPosition(text: string, map: Scene): string {
  const [x, y, facing] = captures(text, /You move to \((-?\d+), (-?\d+)\) and face (\w+)\./)
  const target = entityNamed(map, captures(text, /egocentric relation of (.+)\?/)[0] ?? '')
  if (facing === undefined || !target) return UNKNOWN
  const [x0, y0] = originIn(text, map)
  return egoRelation(target, { pos: [x0 + Number(x), y0 + Number(y)], heading: headingNamed(facing as HeadingName) })
}

function ownPosition(text: string, map: Scene, profile: Profile): string {
  const [facing, sightings] = captures(text, /and face (\w+)\.\nYou observe(?:, among other things)?: (.+)\n/)
  if (facing === undefined) return UNKNOWN
  const origin = originIn(text, map)
  const heading = headingNamed(facing as HeadingName)
  const view = sightingsIn(sightings ?? '')
  const pose: Pose = { pos: origin, heading, rooms: roomsAt(map, origin) }
  // If no cell fits, this returns `place`, the origin.
  return place({ form: 'place', place: [0, 0], origin, pose, view }, map).perfect(profile)
}
