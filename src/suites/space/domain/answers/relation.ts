/** Answers of the form `<direction>, <distance>`. */
import { CARDINAL_LABELS, DISTANCE_LABELS, distanceBin, EGO_LABELS } from '../grid/relations.ts'
import type { Scene } from '../grid/scene.ts'
import { relationField } from '../../parse/fields.ts'
import type { AnswerForm } from './form.ts'
import { readRelation } from '../../parse/grammar.ts'
import { canonicalLabel } from '../../parse/labels.ts'
import { zeroScore, type RelationAnswer, type TaskScore } from './question.ts'

export const relation = (answer: RelationAnswer, scene: Scene): AnswerForm => ({
  score: (text, profile) => (profile === 'upstream' ? scoreUpstream(answer, text) : scoreFixed(answer, text)),
  truth: () => `${answer.direction}, ${answer.distance}`,
  perfect: () => `${answer.direction}, ${answer.distance}`,
  random: (random) => `${random.pick(directions(answer.frame))}, ${random.pick(distances(scene))}`,
  chance: () => (1 / directions(answer.frame).length + 1 / distances(scene).length) / 2,
  ceiling: () => 1,
})

/** Directions that can be right: targets of egocentric questions are always in view. */
function directions(frame: RelationAnswer['frame']): readonly string[] {
  return frame === 'cardinal' ? CARDINAL_LABELS : EGO_LABELS.slice(1, -1)
}

/** Distances that can be right between two cells of the scene. */
function distances(scene: Scene): readonly string[] {
  const diagonal = Math.hypot(scene.mask.length, scene.mask[0]?.length ?? 0)
  return DISTANCE_LABELS.slice(1, distanceBin(diagonal) + 1)
}

/** Half a point for each part, in whichever order scores more. */
function scoreUpstream(answer: RelationAnswer, text: string): TaskScore {
  const read = relationField(text)
  if (read === null) return zeroScore('not a direction and a distance', true)
  const [first, second] = read.map(canonicalLabel)
  const direction = canonicalLabel(answer.direction)
  const distance = canonicalLabel(answer.distance)
  const asGiven = Number(first === direction) + Number(second === distance)
  const swapped = Number(second === direction) + Number(first === distance)
  return scored(Math.max(asGiven, swapped) / 2, {})
}

function scoreFixed(answer: RelationAnswer, text: string): TaskScore {
  const read = readRelation(text, answer.frame)
  const direction = read.direction === answer.direction ? 1 : 0
  const distance = read.distance === answer.distance ? 1 : 0
  const extra = { direction, distance }
  const result = scored((direction + distance) / 2, extra)
  if (read.direction !== null && read.distance !== null) return result
  const missing = read.direction === null ? 'direction' : 'distance'
  return { ...result, formatError: 1, problem: `no unambiguous ${missing} in the answer` }
}

function scored(score: number, extra: Readonly<Record<string, number>>): TaskScore {
  return { score, exact: score === 1 ? 1 : 0, formatError: 0, extra }
}
