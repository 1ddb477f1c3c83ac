/** Pairwise direction from a facing that has just changed: the facings of a room are told anew. Not one of the nine. */
import { facingWord, rotateHeading } from '../../domain/grid/relations.ts'
import { NORTH, type GridObject } from '../../domain/grid/scene.ts'
import { cardinalRelation, orientedObjects, questionText } from './draw.ts'
import { task } from './task.ts'

const ROTATIONS = [90, 180, 270] as const

export const falseBelief = task('false_belief', 'Pairwise direction after a rotation', (scene, random) => {
  const oriented = orientedObjects(scene)
  if (oriented.length === 0 || scene.objects.length < 2) return null
  const before = random.pick(oriented)
  const anchor: GridObject = { ...before, heading: rotateHeading(before.heading, random.pick(ROTATIONS)) }
  const facings = oriented
    .filter(({ room }) => room === anchor.room)
    .map((object) => (object === before ? anchor : object))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, heading }) => `${name}: facing ${facingWord(heading, NORTH)}`)
  const object = random.pick(scene.objects.filter((candidate) => candidate !== before))
  return {
    text: questionText('false-belief', {
      facings: facings.join('\n'),
      obj_name: object.name,
      anchor_name: anchor.name,
    }),
    answer: { form: 'relation', frame: 'cardinal', ...cardinalRelation(anchor.pos, object.pos, anchor.heading) },
  }
})
