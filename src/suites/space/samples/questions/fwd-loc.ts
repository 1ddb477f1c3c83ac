/** Location to view: where is an object, seen from a given cell? */
import { headingName } from '../../domain/grid/relations.ts'
import { questionText, relationAnswer, sampleSightings } from './draw.ts'
import { drawViewpoint } from './viewpoint.ts'
import { task } from './task.ts'

export const fwdLoc = task('fwd_loc', (scene, random, profile) => {
  const viewpoint = drawViewpoint(scene, random)
  if (viewpoint === null) return null
  const { pose, view, untold, origin, originText } = viewpoint
  // The published code asks for the first listed sighting, which favors the first objects of the scene.
  const target = profile === 'upstream' ? sampleSightings(random, view)[0]! : random.pick(untold)
  return {
    text: questionText('fwd-loc', profile, {
      origin_instruction: originText,
      loc: `(${pose.pos[0] - origin[0]}, ${pose.pos[1] - origin[1]})`,
      direction: headingName(pose.heading),
      target: target.name,
    }),
    answer: relationAnswer(target),
  }
})
