/** Answers that name the object whose view is described. */
import { pythonStrip } from '../../../../suite.ts'
import { type Entity, type GridObject, NORTH, type Pose, type Scene } from '../grid/scene.ts'
import { entitiesOf, entityNamed, headingOf, roomsOf } from '../grid/view.ts'
import type { Profile } from '../profile.ts'
import type { AnswerForm } from './form.ts'
import { readName } from '../../parse/grammar.ts'
import { canonicalLabel } from '../../parse/labels.ts'
import { zeroScore, type NameAnswer, type TaskScore } from './question.ts'
import { matchesView } from './sightings.ts'

export const objectName = (answer: NameAnswer, scene: Scene): AnswerForm => ({
  score: (text, profile) =>
    profile === 'upstream' ? scoreUpstream(answer, scene, text) : scoreFixed(answer, scene, text),
  truth: () => answer.name,
  perfect: () => answer.name,
  random: (random, profile) => random.pick(possibleViewers(answer, scene, profile)).name,
  chance: (profile) => {
    const possible = possibleViewers(answer, scene, profile)
    const right = possible.filter(
      (object) =>
        object.name === answer.name ||
        (profile === 'upstream'
          ? matchesView(answer.view, publishedPose(object, answer), scene)
          : ownViewFits(object, answer, scene)),
    )
    return right.length / possible.length
  },
  ceiling: () => 1,
})

/**
 * The objects that can be the answer by words alone: those that have a front, and so a view, and are not themselves in
 * the described view. Profile `upstream` states chance over all objects, as its random player answers.
 */
export function possibleViewers({ view }: NameAnswer, { objects }: Scene, profile: Profile): readonly GridObject[] {
  if (profile === 'upstream') return objects
  return objects.filter(({ name, oriented }) => oriented && !view.some((seen) => seen.name === name))
}

/** The published scorer uses the heading of objects without a front (a placeholder) and of doors (arbitrary). */
function publishedPose(entity: Entity, answer: NameAnswer): Pose {
  return { pos: entity.pos, heading: headingOf(entity) ?? NORTH, rooms: answer.rooms }
}

/** Does the entity have a front, and see the described view from its own room? */
function ownViewFits(entity: Entity | undefined, answer: NameAnswer, scene: Scene): boolean {
  if (entity?.kind !== 'object' || !entity.oriented) return false
  return matchesView(answer.view, { pos: entity.pos, heading: entity.heading, rooms: roomsOf(entity) }, scene)
}

/** Accepts the name, or any entity with the described view, as seen from the true viewer's rooms. */
function scoreUpstream(answer: NameAnswer, scene: Scene, text: string): TaskScore {
  const same = canonicalLabel(text) === canonicalLabel(answer.name)
  const entity = entitiesOf(scene).find(({ name }) => name.toLowerCase() === pythonStrip(text).toLowerCase())
  if (entity === undefined) return zeroScore('object_not_found', true, { nameMatch: 0 })
  const sameView = matchesView(answer.view, publishedPose(entity, answer), scene)
  return scored(same || sameView, { nameMatch: same ? 1 : 0, viewMatch: sameView ? 1 : 0 })
}

/** Accepts the name, or any object with a front whose view from its own room matches. */
function scoreFixed(answer: NameAnswer, scene: Scene, text: string): TaskScore {
  const entities = entitiesOf(scene)
  const name = readName(
    text,
    entities.map((entity) => entity.name),
  )
  if (name === null) return zeroScore('no unambiguous object name in the answer', true)
  const sameView = ownViewFits(entityNamed(scene, name), answer, scene)
  const same = name === answer.name
  return scored(same || sameView, { nameMatch: same ? 1 : 0 })
}

function scored(right: boolean, extra: Readonly<Record<string, number>>): TaskScore {
  return { score: right ? 1 : 0, exact: right ? 1 : 0, formatError: 0, extra }
}
