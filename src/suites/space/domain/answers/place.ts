/** Answers that give the player's own coordinates. */
import type { Pose, Scene, Vec } from '../grid/scene.ts'
import { entityAt } from '../grid/view.ts'
import type { Profile } from '../profile.ts'
import { closeness, floorCells, lengthScale } from '../grid/distance-score.ts'
import { coordinateFields } from '../../parse/fields.ts'
import type { AnswerForm } from './form.ts'
import { readCoordinates } from '../../parse/grammar.ts'
import type { Position } from '../grid/frames.ts'
import { coordinatesText } from './places.ts'
import { zeroScore, type PlaceAnswer, type TaskScore } from './question.ts'
import { matchesView } from './sightings.ts'

export const place = (answer: PlaceAnswer, scene: Scene): AnswerForm => ({
  score: (text, profile) => (profile === 'upstream' ? scoreUpstream(answer, text) : scoreFixed(answer, scene, text)),
  truth: () => coordinatesText([answer.place]),
  perfect: (profile) => coordinatesText([bestGuess(answer, scene, profile).place]),
  random: (random) => {
    const [x, y] = random.pick(floorCells(scene))
    return coordinatesText([[x - answer.origin[0], y - answer.origin[1]]])
  },
  chance: (profile) => {
    let sum = 0
    for (const [x, y] of floorCells(scene)) {
      sum += points([x - answer.origin[0], y - answer.origin[1]], answer.place, scene, profile)
    }
    return sum / floorCells(scene).length
  },
  ceiling: (profile) => bestGuess(answer, scene, profile).expected,
})

/** Score of a position. The published scale is the distance of the true position from the origin. */
function points(read: Position, truth: Position, scene: Scene, profile: Profile): number {
  const error = Math.sqrt((read[0] - truth[0]) ** 2 + (read[1] - truth[1]) ** 2)
  if (profile === 'fixed') return closeness(error, lengthScale(scene))
  const scale = Math.hypot(truth[0], truth[1])
  if (scale === 0) return error === 0 ? 1 : 0
  return closeness(error, scale)
}

function scoreUpstream(answer: PlaceAnswer, text: string): TaskScore {
  const read = coordinateFields(text)?.[0]
  if (read === undefined) return zeroScore('no coordinate', true)
  const error = Math.hypot(read[0] - answer.place[0], read[1] - answer.place[1])
  const scale = Math.hypot(answer.place[0], answer.place[1])
  const score = scale === 0 ? Number(error === 0) : closeness(error, scale)
  return { score, exact: error === 0 ? 1 : 0, formatError: 0, extra: {} }
}

function scoreFixed(answer: PlaceAnswer, scene: Scene, text: string): TaskScore {
  const read = readCoordinates(text, 1)?.[0]
  if (read === undefined) return zeroScore('no unambiguous coordinate in the answer', true)
  const cell: Vec = [read[0] + answer.origin[0], read[1] + answer.origin[1]]
  const exact = read[0] === answer.place[0] && read[1] === answer.place[1]
  const possible = possibleCells(answer, scene).some(([x, y]) => x === cell[0] && y === cell[1])
  return {
    score: points(read, answer.place, scene, 'fixed'),
    exact: exact ? 1 : 0,
    formatError: 0,
    // The described view is the same from there.
    extra: { consistent: possible ? 1 : 0 },
  }
}

/**
 * Cells from which the view matches the question. The viewer is on a free floor cell: in the start room if the start is
 * the origin, otherwise in a room of the door that is the origin.
 */
export function possibleCells(answer: PlaceAnswer, scene: Scene): Vec[] {
  const door = entityAt(scene, answer.origin)
  const rooms = door?.kind === 'door' ? door.rooms.filter((room) => room !== scene.start.room) : [scene.start.room]
  // If neither room of the door is the start room, both are possible.
  return floorCells(scene).filter((cell) => {
    const room = scene.mask[cell[0]]![cell[1]]!
    if (!rooms.includes(room) || entityAt(scene, cell) !== undefined) return false
    const pose: Pose = { pos: cell, heading: answer.pose.heading, rooms: [room] }
    return matchesView(answer.view, pose, scene)
  })
}

/** The cell with the highest mean score over all cells that match the view. */
function bestGuess(answer: PlaceAnswer, scene: Scene, profile: Profile): { place: Position; expected: number } {
  const [x0, y0] = answer.origin
  const open = possibleCells(answer, scene).map(([x, y]): Position => [x - x0, y - y0])
  let best: { place: Position; expected: number } = { place: answer.place, expected: 1 }
  let most = -1
  for (const guess of open) {
    let sum = 0
    for (const truth of open) sum += points(guess, truth, scene, profile)
    const expected = sum / open.length
    if (expected > most) {
      most = expected
      best = { place: guess, expected }
    }
  }
  return best
}
