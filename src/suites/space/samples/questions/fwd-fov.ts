/** Action to view: where is an object after a walk? */
import { questionText, relationAnswer, sampleSightings } from './draw.ts'
import { drawWalk, walkText } from './walks.ts'
import { task } from './task.ts'

const JUMPS = 2

export const fwdFov = task('fwd_fov', (scene, random, profile) => {
  const walk = drawWalk(scene, random, JUMPS)
  if (walk === null) return null
  const target = random.pick(sampleSightings(random, walk.view))
  return {
    text: questionText('fwd-fov', profile, { actions: walkText(scene, walk), target: target.name }),
    answer: relationAnswer(target),
  }
})
