/** Answers that are a sequence of moves. */
import { moveFields } from '../../parse/fields.ts'
import { readMoves } from '../../parse/grammar.ts'
import type { Step } from './question.ts'
import { canJump, movesText, shortestRoute, walk, walkThroughWalls } from '../explore/moves.ts'
import { HEADINGS, type Pose, type Scene } from '../grid/scene.ts'
import { entitiesOf, inView, roomsOf } from '../grid/view.ts'
import type { Profile } from '../profile.ts'
import type { AnswerForm } from './form.ts'
import { zeroScore, type RouteAnswer, type TaskScore } from './question.ts'
import { matchesView } from './sightings.ts'

const FULL_TURN = [0, 90, 180, 270] as const

export const route = (answer: RouteAnswer, scene: Scene): AnswerForm => ({
  score: (text, profile) =>
    profile === 'upstream' ? scoreUpstream(answer, scene, text) : scoreFixed(answer, scene, text),
  // Not the stored route: the published one calls some doors by a name that its own scorer does not know.
  truth: () => shortest(answer, scene),
  perfect: () => shortest(answer, scene),
  /** Turn, jump once, turn; uniform over all such answers, legal or not. */
  random: (random) => {
    const turn = (): Step => ({ turn: random.pick(FULL_TURN) })
    const jump: Step = { jump: random.pick(entitiesOf(scene)).name }
    const end = turn()
    return movesText([turn(), jump, end])
  },
  chance: (profile) => chance(answer, scene, profile),
  ceiling: () => 1,
})

function shortest({ from, to, shortest: stored }: RouteAnswer, scene: Scene): string {
  return movesText(shortestRoute(scene, from, to) ?? stored)
}

/** Exact, by enumerating all routes that `random` can draw. */
function chance(answer: RouteAnswer, scene: Scene, profile: Profile): number {
  const entities = entitiesOf(scene)
  let sum = 0
  for (const heading of HEADINGS) {
    for (const entity of entities) {
      const pose: Pose = { pos: answer.from.pos, heading, rooms: answer.from.rooms }
      if (profile === 'upstream' ? !inView(pose, entity.pos) : !canJump(scene, pose, entity)) continue
      const rooms = profile === 'upstream' ? answer.to.rooms : roomsOf(entity)
      for (const last of HEADINGS)
        if (matchesView(answer.view, { pos: entity.pos, heading: last, rooms }, scene)) sum += 1
    }
  }
  return sum / (HEADINGS.length * entities.length * HEADINGS.length)
}

/** Ignores walls and rooms on the way; the view at the end is that of the true viewer's rooms. */
function scoreUpstream(answer: RouteAnswer, scene: Scene, text: string): TaskScore {
  const steps = moveFields(text)
  if (steps.length === 0) return zeroScore('invalid_format', true)
  const walked = walkThroughWalls(scene, steps, answer.from)
  if (walked.problem !== null) return zeroScore(walked.problem, false)
  const { pos, heading } = walked.pose
  const right = matchesView(answer.view, { pos, heading, rooms: answer.to.rooms }, scene) ? 1 : 0
  const extra = {
    placeMatch: pos[0] === answer.to.pos[0] && pos[1] === answer.to.pos[1] ? 1 : 0,
    headingMatch: heading[0] === answer.to.heading[0] && heading[1] === answer.to.heading[1] ? 1 : 0,
    viewMatch: right,
  }
  return { score: right, exact: right, formatError: 0, extra }
}

/** Requires legal moves and the described view at their end. */
function scoreFixed(answer: RouteAnswer, scene: Scene, text: string): TaskScore {
  const steps = readMoves(text)
  if (steps === null) return zeroScore('not a sequence of moves', true)
  const walked = walk(scene, steps, answer.from)
  if (walked.problem !== null) return zeroScore(walked.problem, false, { legal: 0, efficiency: 0 })
  const right = matchesView(answer.view, walked.pose, scene) ? 1 : 0
  const efficiency = right * Math.min(1, answer.shortest.length / steps.length)
  return { score: right, exact: right, formatError: 0, extra: { legal: 1, efficiency } }
}
