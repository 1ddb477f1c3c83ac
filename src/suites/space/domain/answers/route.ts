/** Answers that are a sequence of moves. */
import { HEADINGS, type Pose, type Scene } from '../grid/scene.ts'
import { entitiesOf, inView, poseAt, START } from '../grid/view.ts'
import type { Profile } from '../profile.ts'
import { moveFields } from '../../parse/fields.ts'
import type { Form } from './form.ts'
import { readMoves } from '../../parse/grammar.ts'
import { mayJump, movesInWords, shortestRoute, startInView, walk, walkThroughWalls } from '../explore/moves.ts'
import { failed, type RouteAnswer, type Step, type TaskScore } from './question.ts'
import { fits } from './sightings.ts'

const FULL_TURN = [0, 90, 180, 270] as const

export const route: Form<RouteAnswer> = {
  score: (answer, scene, text, profile) =>
    profile === 'upstream' ? scoreUpstream(answer, scene, text) : scoreFixed(answer, scene, text),
  // Not the stored route: the published one calls some doors by a name that nobody knows.
  perfect: ({ from, to, goal, shortest }, scene) =>
    movesInWords(shortestRoute(scene, from, goal === 'start' ? START : to) ?? shortest),
  /** Turn, jump once, turn: every such answer is as likely, whether or not it is legal. */
  random: ({ goal }, scene, random) => {
    const turn = (): Step => ({ turn: random.pick(FULL_TURN) })
    const jump: Step = { jump: random.pick(entitiesOf(scene)).name }
    const end: Step = goal === 'start' ? { jump: 'initial_pos' } : turn()
    return movesInWords([turn(), jump, end])
  },
  chance,
  ceiling: () => 1,
}

/** Exact: all routes that `random` can draw. */
function chance(answer: RouteAnswer, scene: Scene, profile: Profile): number {
  const entities = entitiesOf(scene)
  let sum = 0
  for (const heading of HEADINGS) {
    for (const entity of entities) {
      const pose: Pose = { pos: answer.from.pos, heading, rooms: answer.from.rooms }
      if (profile === 'upstream' ? !inView(pose, entity.pos) : !mayJump(scene, pose, entity)) continue
      const arrived = poseAt(scene, entity, heading)
      if (answer.goal === 'start') {
        const seen = profile === 'upstream' ? inView(arrived, scene.start.pos) : startInView(scene, arrived)
        // Three moves were made, where the shortest route may be shorter; all four last turns would be one jump.
        const points = profile === 'upstream' ? answer.shortest.length / 3 : Math.min(1, answer.shortest.length / 3)
        if (seen) sum += HEADINGS.length * points
        continue
      }
      for (const last of HEADINGS) {
        const rooms = profile === 'upstream' ? answer.to.rooms : arrived.rooms
        if (holds(answer, { pos: entity.pos, heading: last, rooms }, scene)) sum += 1
      }
    }
  }
  return sum / (HEADINGS.length * entities.length * HEADINGS.length)
}

/** Is the goal reached at this pose? */
function holds(answer: RouteAnswer, pose: Pose, scene: Scene): boolean {
  return answer.goal === 'view' ? fits(answer.view, pose, scene) : samePose(pose, answer.to)
}

function samePlace(a: Pose, b: Pose): boolean {
  return a.pos[0] === b.pos[0] && a.pos[1] === b.pos[1]
}

function sameHeading(a: Pose, b: Pose): boolean {
  return a.heading[0] === b.heading[0] && a.heading[1] === b.heading[1]
}

function samePose(a: Pose, b: Pose): boolean {
  return samePlace(a, b) && sameHeading(a, b)
}

/** The last step, when it is the jump to the start that the question asks for. */
function endsAtStart(steps: readonly Step[]): boolean {
  const last = steps.at(-1)
  return last !== undefined && 'jump' in last && /^initial[_ ]pos$/i.test(last.jump)
}

/** Walls and rooms do not matter on the way; at the end one sees with the eyes of the true viewer's rooms. */
function scoreUpstream(answer: RouteAnswer, scene: Scene, text: string): TaskScore {
  const steps = moveFields(text)
  if (steps.length === 0) return failed('invalid_format', true)
  if (answer.goal === 'start') {
    const last = steps.at(-1)!
    if (!('jump' in last) || last.jump.toLowerCase() !== 'initial_pos') {
      return failed('missing_final_jumpto_initial_pos', true)
    }
    const walked = walkThroughWalls(scene, steps.slice(0, -1), { from: answer.from, toStart: true })
    if (walked.problem !== null) return failed(walked.problem, false)
    const seen = inView(walked.pose, scene.start.pos)
    const score = seen ? answer.shortest.length / steps.length : 0
    return { score, exact: score === 1 ? 1 : 0, formatError: 0, extra: { startVisible: seen ? 1 : 0 } }
  }
  const walked = walkThroughWalls(scene, steps, { from: answer.from, toStart: false })
  if (walked.problem !== null) return failed(walked.problem, false)
  const pose: Pose = { ...walked.pose, rooms: answer.to.rooms }
  const byView = answer.goal === 'view' && fits(answer.view, pose, scene)
  const right = byView || (answer.goal === 'pose' && samePose(pose, answer.to))
  const extra = {
    placeMatch: samePlace(pose, answer.to) ? 1 : 0,
    headingMatch: sameHeading(pose, answer.to) ? 1 : 0,
    viewMatch: byView ? 1 : 0,
  }
  return { score: right ? 1 : 0, exact: right ? 1 : 0, formatError: 0, extra }
}

/** Legal moves in the real environment, and the view as told from where they lead. */
function scoreFixed(answer: RouteAnswer, scene: Scene, text: string): TaskScore {
  const steps = readMoves(text)
  if (steps === null) return failed('not a sequence of moves', true)
  if (answer.goal === 'start' && !endsAtStart(steps)) return failed('does not end with JumpTo(initial_pos)', true)
  const walked = walk(scene, steps, { from: answer.from, toStart: answer.goal === 'start' })
  if (walked.problem !== null) return failed(walked.problem, false, { legal: 0, efficiency: 0 })
  const right = answer.goal === 'start' || holds(answer, walked.pose, scene)
  const efficiency = right ? Math.min(1, answer.shortest.length / steps.length) : 0
  const score = answer.goal === 'start' ? efficiency : Number(right)
  return { score, exact: right ? 1 : 0, formatError: 0, extra: { legal: 1, efficiency } }
}
