/** Answers that name the object one stands at. */
import { type Entity, NORTH, type Pose, type Scene, type Vec } from '../grid/scene.ts'
import { entitiesOf, roomsOf } from '../grid/view.ts'
import type { Form } from './form.ts'
import { readName } from './grammar.ts'
import { canonicalLabel } from './labels.ts'
import { failed, type NameAnswer, type TaskScore } from './question.ts'
import { fits } from './sightings.ts'

export const standing: Form<NameAnswer> = {
  score: (answer, scene, text, profile) =>
    profile === 'upstream' ? scoreUpstream(answer, scene, text) : scoreFixed(answer, scene, text),
  perfect: ({ name }) => name,
  random: (_answer, scene, random) => random.pick(scene.objects).name,
  chance: (answer, scene, profile) => {
    const right = scene.objects.filter(({ name }) => standing.score(answer, scene, name, profile).score === 1)
    return right.length / scene.objects.length
  },
  ceiling: () => 1,
}

/** The published scorer looks along a heading that objects without a front do not have, and doors have by chance. */
function publishedHeading(entity: Entity): Vec {
  if (entity.kind === 'object') return entity.oriented ? entity.heading : NORTH
  return entity.normals.find(([x, y]) => x + y > 0) ?? NORTH
}

/** The name, or any other thing whose view is as told, seen with the eyes of the true viewer's rooms. */
function scoreUpstream(answer: NameAnswer, scene: Scene, text: string): TaskScore {
  const same = canonicalLabel(text) === canonicalLabel(answer.name)
  if (answer.byPicture) return scored(same, {})
  const entity = entitiesOf(scene).find(({ name }) => name.toLowerCase() === text.trim().toLowerCase())
  if (entity === undefined) return failed('object_not_found', true, { nameMatch: 0 })
  const pose: Pose = { pos: entity.pos, heading: publishedHeading(entity), rooms: answer.rooms }
  const sameView = fits(answer.view, pose, scene)
  return scored(same || sameView, { nameMatch: same ? 1 : 0, viewMatch: sameView ? 1 : 0 })
}

/** An object that faces somewhere and whose own view, in its own room, is as told. */
function scoreFixed(answer: NameAnswer, scene: Scene, text: string): TaskScore {
  const entities = entitiesOf(scene)
  const name = readName(
    text,
    entities.map((entity) => entity.name),
  )
  if (name === null) return failed('no clear name of an object in the answer', true)
  const entity = entities.find((candidate) => candidate.name === name)
  const oriented = entity?.kind === 'object' && entity.oriented
  const sameView =
    oriented && fits(answer.view, { pos: entity.pos, heading: entity.heading, rooms: roomsOf(entity) }, scene)
  const same = name === answer.name
  return scored(same || sameView, { nameMatch: same ? 1 : 0 })
}

function scored(right: boolean, extra: Readonly<Record<string, number>>): TaskScore {
  return { score: right ? 1 : 0, exact: right ? 1 : 0, formatError: 0, extra }
}
