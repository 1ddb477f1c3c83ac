/** Pairwise direction: where is one object relative to another on a top-down map? */
import { NORTH } from '../../domain/grid/scene.ts'
import { cardinalRelation, questionText } from './draw.ts'
import { task } from './task.ts'

export const dir = task('dir', (scene, random, profile) => {
  const [object, anchor] = random.sample(scene.objects, 2)
  if (object === undefined || anchor === undefined) return null
  return {
    text: questionText('dir', profile, { obj_name: object.name, anchor_name: anchor.name }),
    answer: { form: 'relation', frame: 'cardinal', ...cardinalRelation(anchor.pos, object.pos, NORTH) },
  }
})
