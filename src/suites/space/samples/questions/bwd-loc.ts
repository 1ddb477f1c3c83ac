/** View to location: from which cell this is seen. */
import { headingName } from '../../domain/grid/relations.ts'
import { questionText, told } from './draw.ts'
import { viewText } from '../../domain/answers/sightings.ts'
import { drawStandpoint } from './standpoint.ts'
import { task } from './task.ts'

export const bwdLoc = task('bwd_loc_text', (scene, random) => {
  const standpoint = drawStandpoint(scene, random)
  if (standpoint === null) return null
  const { pose, origin, originText } = standpoint
  const view = told(random, standpoint.view)
  return {
    text: questionText('bwd-loc', {
      orientation: headingName(pose.heading),
      observations: `You observe: ${viewText(view, 'is at')}`,
      origin_instruction: originText,
    }),
    answer: { form: 'place', place: [pose.pos[0] - origin[0], pose.pos[1] - origin[1]], origin, pose, view },
  }
})
