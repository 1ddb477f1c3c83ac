/** Location to view: what is where from a given cell. */
import { headingName } from '../../domain/grid/relations.ts'
import { questionText, relationTo, told } from './draw.ts'
import { drawStandpoint } from './standpoint.ts'
import { task } from './task.ts'

export const fwdLoc = task('fwd_loc', (scene, random, profile) => {
  const standpoint = drawStandpoint(scene, random)
  if (standpoint === null) return null
  const { pose, view, origin, originText } = standpoint
  // The published code asks for the first that it lists, which favours the first objects of the scene.
  const target = profile === 'upstream' ? told(random, view)[0]! : random.pick(view)
  return {
    text: questionText('fwd-loc', {
      origin_instruction: originText,
      loc: `(${pose.pos[0] - origin[0]}, ${pose.pos[1] - origin[1]})`,
      direction: headingName(pose.heading),
      target: target.name,
    }),
    answer: relationTo(target),
  }
})
