/** Allocentric map: coordinates of objects. */
import type { Vec } from '../../domain/grid/scene.ts'
import { questionText } from './draw.ts'
import { task } from './task.ts'

const FEWEST = 3
const MOST = 5

export const e2a = task('e2a', (scene, random) => {
  if (scene.objects.length < FEWEST) return null
  const count = random.between(FEWEST, Math.min(MOST, scene.objects.length))
  const objects = random.sample(scene.objects, count)
  const names = objects.map(({ name }) => name)
  const [x0, y0] = scene.start.pos
  return {
    text: questionText('e2a', { object_list: names.join(', ') }),
    answer: { form: 'places', names, places: objects.map(({ pos: [x, y] }): Vec => [x - x0, y - y0]) },
  }
})
