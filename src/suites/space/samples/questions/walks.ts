/** Random walks through a scene, for questions. */
import type { Random } from '../../../../suite.ts'
import {
  aheadOf,
  closestHeading,
  distanceBinOfSquare,
  egoBinOfCells,
  headingIndex,
  rightOf,
} from '../../domain/grid/relations.ts'
import { type Entity, HEADINGS, type Pose, type Scene, type Vec } from '../../domain/grid/scene.ts'
import { egoRelation, entitiesOf, isVisible, poseAt, startPose, visibleEntities } from '../../domain/grid/view.ts'
import { pickByView, sightingsFrom } from './draw.ts'
import type { Sighting } from '../../domain/answers/question.ts'
import type { Step } from '../../domain/answers/question.ts'

/** Probability of going to a door if there is one. */
const DOOR_PROBABILITY = 0.6
/** Walks drawn, of which one is picked. */
const CANDIDATE_WALKS = 5

export interface Walk {
  steps: Step[]
  /** The pose before each step, and at the end. */
  poses: Pose[]
  view: Sighting[]
}

/** A walk with `jumps` jumps, picked by the size of the view at its end; null if no candidate sees anything. */
export function drawWalk(scene: Scene, random: Random, jumps: number): Walk | null {
  const walks: Walk[] = []
  for (let i = 0; i < CANDIDATE_WALKS; i++) {
    const walk = oneWalk(scene, random, jumps)
    if (walk !== null) walks.push(walk)
  }
  return pickByView(random, walks, 1)
}

function oneWalk(scene: Scene, random: Random, jumps: number): Walk | null {
  const steps: Step[] = []
  const poses: Pose[] = [startPose(scene)]
  let roomsBefore: readonly number[] | null = null
  for (let jump = 0; jump < jumps; jump++) {
    const here: Pose = poses.at(-1)!
    const target = nextTarget(scene, random, here, roomsBefore)
    if (target === null) return null
    const heading = closestHeading(target.pos[0] - here.pos[0], target.pos[1] - here.pos[1])
    turnTo(heading, steps, poses)
    roomsBefore = target.kind === 'door' ? here.rooms : null
    steps.push({ jump: target.name })
    poses.push(poseAt(scene, target, heading))
  }
  const { pos, rooms } = poses.at(-1)!
  const open: Vec[] = []
  for (const heading of HEADINGS) if (seesAnything(scene, { pos, heading, rooms })) open.push(heading)
  if (open.length === 0) return null
  turnTo(random.pick(open), steps, poses)
  return { steps, poses, view: sightingsFrom(scene, poses.at(-1)!) }
}

function seesAnything(scene: Scene, pose: Pose): boolean {
  for (const entity of entitiesOf(scene)) if (isVisible(pose, entity)) return true
  return false
}

/** After a door, an object of the room behind it; otherwise a door more often than an object. */
function nextTarget(scene: Scene, random: Random, here: Pose, roomsBefore: readonly number[] | null): Entity | null {
  const doors: Entity[] = []
  const objects: Entity[] = []
  const behind: Entity[] = []
  for (const entity of entitiesOf(scene)) {
    if (entity.pos[0] === here.pos[0] && entity.pos[1] === here.pos[1]) continue
    if (entity.kind === 'door') {
      if (here.rooms.includes(entity.rooms[0]) || here.rooms.includes(entity.rooms[1])) doors.push(entity)
    } else if (here.rooms.includes(entity.room)) {
      objects.push(entity)
      if (roomsBefore !== null && !roomsBefore.includes(entity.room)) behind.push(entity)
    }
  }
  if (doors.length + objects.length === 0) return null
  if (roomsBefore !== null) return random.pick(behind.length > 0 ? behind : objects.length > 0 ? objects : doors)
  if (doors.length > 0 && random.chance(DOOR_PROBABILITY)) return random.pick(doors)
  return random.pick(objects.length > 0 ? objects : doors)
}

/** One turn of -180°, -90° or 90°, or none. */
function turnTo(heading: Vec, steps: Step[], poses: Pose[]): void {
  const here = poses.at(-1)!
  const quarters = (headingIndex(heading) - headingIndex(here.heading) + 4) % 4
  if (quarters === 0) return
  steps.push({ turn: quarters === 1 ? 90 : quarters === 2 ? -180 : -90 })
  poses.push({ pos: here.pos, heading, rooms: here.rooms })
}

/** Numbered lines that describe jump targets by direction and distance, not by name. */
export function walkText(scene: Scene, { steps, poses }: Walk): string {
  return steps
    .map((step, i) => {
      const words = 'turn' in step ? `Rotate(${step.turn})` : jumpText(scene, step.jump, poses[i]!)
      return `${i + 1}. ${words}`
    })
    .join('\n')
}

function jumpText(scene: Scene, name: string, pose: Pose): string {
  const visible = visibleEntities(scene, pose)
  const target = visible.find((entity) => entity.name === name)
  if (target === undefined) throw new Error(`A walk jumps to ${name}, which is not in view.`)
  const wanted = offsetsOf(target, pose)
  const alike = visible
    .map((entity) => ({ entity, ...offsetsOf(entity, pose) }))
    .filter(({ ego, distance }) => ego === wanted.ego && distance === wanted.distance)
  const relation = egoRelation(target, pose)
  if (alike.length === 1) return `Jump to the object at ${relation}.`
  // From left to right; ties go to the nearer one.
  const fromLeft = alike.toSorted((a, b) => a.right * b.ahead - b.right * a.ahead || a.square - b.square)
  const byDistance = alike.toSorted((a, b) => a.square - b.square)
  const left = ordinal(fromLeft.findIndex(({ entity }) => entity === target) + 1)
  const rank = byDistance.findIndex(({ entity }) => entity === target) + 1
  const nearness = rank === 1 ? 'nearest' : rank === alike.length ? 'farthest' : `${ordinal(rank)} nearest`
  return `Among objects which are ${relation} to you, you jump to the ${left} from left also ${nearness} one.`
}

function offsetsOf(entity: Entity, pose: Pose) {
  const dx = entity.pos[0] - pose.pos[0]
  const dy = entity.pos[1] - pose.pos[1]
  const right = rightOf(pose.heading, dx, dy)
  const ahead = aheadOf(pose.heading, dx, dy)
  const square = dx * dx + dy * dy
  return { right, ahead, square, ego: egoBinOfCells(right, ahead), distance: distanceBinOfSquare(square) }
}

function ordinal(n: number): string {
  const teen = n % 100 >= 10 && n % 100 <= 20
  return `${n}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')}`
}
