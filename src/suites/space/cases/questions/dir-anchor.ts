/** Pairwise direction on a map whose north is where the second object faces. Not one of the nine. */
import { cardinalRelation, orientedObjects, questionText } from './draw.ts'
import { task } from './task.ts'

export const dirAnchor = task('dir_anchor', 'Pairwise direction from a facing', (scene, random) => {
  const oriented = orientedObjects(scene)
  if (oriented.length === 0 || scene.objects.length < 2) return null
  const anchor = random.pick(oriented)
  const object = random.pick(scene.objects.filter((candidate) => candidate !== anchor))
  return {
    text: questionText('dir-anchor', { obj_name: object.name, anchor_name: anchor.name }),
    answer: { form: 'relation', frame: 'cardinal', ...cardinalRelation(anchor.pos, object.pos, anchor.heading) },
  }
})
