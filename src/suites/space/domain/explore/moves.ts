/** Move sequences: where they lead, whether they are legal, and which is shortest. */
import { memoized } from '../../../../suite.ts'
import { jumpProblem } from './exploration.ts'
import { headingIndex, rotateHeading } from '../grid/relations.ts'
import { type Entity, HEADINGS, type Pose, type Scene, type Vec } from '../grid/scene.ts'
import { entitiesOf, inView, poseAt, START } from '../grid/view.ts'
import { matchName } from '../../parse/grammar.ts'
import type { Step } from '../answers/question.ts'

export type WalkResult = { pose: Pose; problem: null } | { pose: null; problem: MoveProblem }
/** Error codes of the published scorer. */
export type MoveProblem = 'invalid_rotation' | 'unknown_object' | 'target_not_visible'

/** For questions, everything counts as observed. */
const allNames = memoized(({ order }: Scene): ReadonlySet<string> => new Set(order))

/** Is a jump from here legal by the environment's rule? */
export function canJump(scene: Scene, pose: Pose, target: Entity): boolean {
  return jumpProblem(pose, target, allNames(scene)) === null
}

/** Moves by the rules of the environment: quarter turns up to 270°, jumps to visible entities, through doors only. */
export function walk(scene: Scene, steps: readonly Step[], from: Pose): WalkResult {
  let pose = from
  for (const step of steps) {
    if ('turn' in step) {
      if (step.turn % 90 !== 0 || Math.abs(step.turn) > 270) return { pose: null, problem: 'invalid_rotation' }
      pose = turned(pose, step.turn)
      continue
    }
    const name = matchName(step.jump, scene.order)
    const target = entitiesOf(scene).find((entity) => entity.name === name)
    if (target === undefined) return { pose: null, problem: 'unknown_object' }
    if (!canJump(scene, pose, target)) return { pose: null, problem: 'target_not_visible' }
    pose = poseAt(scene, target, pose.heading)
  }
  return { pose, problem: null }
}

function turned({ pos, heading, rooms }: Pose, degrees: number): Pose {
  return { pos, heading: rotateHeading(heading, degrees), rooms }
}

/** Moves as the published scorer simulates them: any multiple of 90°, jumps to anything ahead, even through walls. */
export function walkThroughWalls(scene: Scene, steps: readonly Step[], from: Pose): WalkResult {
  const places = new Map<string, Vec>(entitiesOf(scene).map(({ name, pos }) => [name.toLowerCase(), pos]))
  let pose = from
  for (const step of steps) {
    if ('turn' in step) {
      if (step.turn % 90 !== 0) return { pose: null, problem: 'invalid_rotation' }
      pose = turned(pose, step.turn % 360)
      continue
    }
    const pos = places.get(step.jump.toLowerCase())
    if (pos === undefined) return { pose: null, problem: 'unknown_object' }
    if (!inView(pose, pos)) return { pose: null, problem: 'target_not_visible' }
    pose = { pos, heading: pose.heading, rooms: pose.rooms }
  }
  return { pose, problem: null }
}

export function movesText(steps: readonly Step[]): string {
  return steps.map((step) => ('turn' in step ? `Rotate(${step.turn})` : `JumpTo(${step.jump})`)).join(', ')
}

/** Turns in the order in which the search tries them. */
const TURNS = [90, -90, 180] as const

/** For every position (entities in order, then the start) and heading: indices of the entities in view. */
const visibilityTable = memoized((scene: Scene): readonly (readonly number[])[] => {
  const entities = entitiesOf(scene)
  const names = allNames(scene)
  const places: (Entity | typeof START)[] = [...entities, START]
  return places.flatMap((place) =>
    HEADINGS.map((heading) => {
      const pose = poseAt(scene, place, heading)
      return entities.flatMap((entity, i) => (jumpProblem(pose, entity, names) === null ? [i] : []))
    }),
  )
})

/** A shortest legal route between two poses, each on the start or an entity. Null if there is none. */
export function shortestRoute(scene: Scene, from: Pose, goal: Pose): Step[] | null {
  const entities = entitiesOf(scene)
  const table = visibilityTable(scene)
  const first = stateOf(entities, from)
  const last = stateOf(entities, goal)
  // The previous state and the move that led to each state: 0 to 2 are turns, jumps start at 3.
  const before = new Int16Array(table.length).fill(-1)
  const move = new Int16Array(table.length)
  const queue = [first]
  before[first] = first
  for (let i = 0; i < queue.length; i++) {
    const state = queue[i]!
    if (state === last) return routeTo(state, first, before, move, entities)
    const seen = table[state]!
    for (let by = 0; by < TURNS.length + seen.length; by++) {
      const entity = by < TURNS.length ? -1 : seen[by - TURNS.length]!
      const next = entity < 0 ? (state & ~3) | (((state & 3) + TURNS[by]! / 90 + 4) % 4) : (entity << 2) | (state & 3)
      if (before[next] !== -1) continue
      before[next] = state
      move[next] = entity < 0 ? by : TURNS.length + entity
      queue.push(next)
    }
  }
  return null
}

/** Position and heading as one number: entities in order, then the start, four headings each. */
function stateOf(entities: readonly Entity[], { pos, heading }: Pose): number {
  let place = 0
  while (place < entities.length && (entities[place]!.pos[0] !== pos[0] || entities[place]!.pos[1] !== pos[1])) place++
  return place * 4 + headingIndex(heading)
}

function routeTo(
  state: number,
  first: number,
  before: Int16Array,
  move: Int16Array,
  entities: readonly Entity[],
): Step[] {
  const steps: Step[] = []
  for (let at = state; at !== first; at = before[at]!) {
    const by = move[at]!
    steps.push(by < TURNS.length ? { turn: TURNS[by]! } : { jump: entities[by - TURNS.length]!.name })
  }
  return steps.reverse()
}
