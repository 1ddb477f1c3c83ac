/** The way back to the start from where an exploration ended. Not one of the nine. */
import { HEADINGS } from '../../domain/grid/scene.ts'
import { entitiesOf, poseAt, START } from '../../domain/grid/view.ts'
import { questionText } from './draw.ts'
import { shortestRoute } from '../../domain/explore/moves.ts'
import { task } from './task.ts'

export const bwdNavRev = task('bwd_nav_rev', 'Way back', (scene, random) => {
  const entities = entitiesOf(scene)
  if (entities.length === 0) return null
  const from = poseAt(scene, random.pick(entities), random.pick(HEADINGS))
  const shortest = shortestRoute(scene, from, START)
  if (shortest === null) return null
  return {
    text: questionText('bwd-nav-rev', {}),
    answer: { form: 'route', from, to: poseAt(scene, START), goal: 'start', view: [], shortest },
  }
})
