/** Allocentric map: what are the coordinates of these objects? */
import type { Vec } from '../../domain/grid/scene.ts'
import { questionText } from './draw.ts'
import { task } from './task.ts'

const MIN_OBJECTS = 3
const MAX_OBJECTS = 5

export const e2a = task('e2a', (scene, random, profile) => {
  if (scene.objects.length < MIN_OBJECTS) return null
  const count = random.between(MIN_OBJECTS, Math.min(MAX_OBJECTS, scene.objects.length))
  const objects = random.sample(scene.objects, count)
  const names = objects.map(({ name }) => name)
  const [x0, y0] = scene.start.pos
  return {
    text: questionText('e2a', profile, { object_list: names.join(', ') }),
    answer: { form: 'places', names, places: objects.map(({ pos: [x, y] }): Vec => [x - x0, y - y0]) },
  }
})
