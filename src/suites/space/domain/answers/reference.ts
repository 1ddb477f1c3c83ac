/** Reference answers and scores: chance, best constant answer, and ceiling. */
import type { Scene } from '../grid/scene.ts'
import { cellsOfRoom, roomIds } from '../grid/view.ts'
import { movesText } from '../explore/moves.ts'
import type { Profile } from '../profile.ts'
import { BEST_CONSTANTS, type Constant } from './constants.ts'
import { formOf } from './forms.ts'
import { coordinatesText } from './places.ts'
import type { Answer, ReferenceScores, Question } from './question.ts'

type Asked = Pick<Question, 'task' | 'answer'>

/** The best constant answer for this task. */
export function constantAnswer({ task, answer }: Asked, scene: Scene, profile: Profile): string {
  return constantText(BEST_CONSTANTS[profile][task], answer, scene)
}

export function constantText(constant: Constant, answer: Answer, scene: Scene): string {
  if ('say' in constant) return constant.say
  if ('turn' in constant) return movesText([{ turn: constant.turn }])
  if ('at' in constant)
    return coordinatesText(answer.form === 'places' ? answer.places.map(() => constant.at) : [constant.at])
  const listed = answer.form === 'order' ? answer.order.toSorted() : scene.order
  if (constant.copy === 'first') return listed[0] ?? ''
  return (constant.copy === 'list' ? listed : listed.toReversed()).join(', ')
}

/** Rooms and side of the scenes that the constants were found on. */
const TUNED = { rooms: 3, side: 6 } as const

/** Are the constants the best for scenes like this one? In others, a line that is not the best would flatter a model. */
export function hasTunedConstants(scene: Scene): boolean {
  const rooms = roomIds(scene)
  return rooms.length === TUNED.rooms && rooms.every((room) => cellsOfRoom(scene, room).length === TUNED.side ** 2)
}

export function referenceScores({ task, answer }: Asked, scene: Scene, profile: Profile): ReferenceScores {
  const form = formOf(answer, scene)
  return {
    chance: form.chance(profile),
    constant: form.score(constantAnswer({ task, answer }, scene, profile), profile).score,
    ceiling: form.ceiling(profile),
  }
}

/**
 * A score rescaled to 0 for guessing and 1 for a perfect map. Below 0 is worse than guessing. Meant for means over many
 * questions: on a single one, a guess may be right.
 */
export function aboveGuessing(score: number, guessing: number, ceiling: number): number {
  return ceiling > guessing ? (score - guessing) / (ceiling - guessing) : 0
}
