/** Action to view: what is where after a walk. */
import { questionText, relationTo, told } from './draw.ts'
import { drawWalk, walkText } from './plan.ts'
import { task } from './task.ts'

const JUMPS = 2

export const fwdFov = task('fwd_fov', (scene, random) => {
  const walk = drawWalk(scene, random, JUMPS)
  if (walk === null) return null
  const target = random.pick(told(random, walk.view))
  return {
    text: questionText('fwd-fov', { actions: walkText(scene, walk), target: target.name }),
    answer: relationTo(target),
  }
})
