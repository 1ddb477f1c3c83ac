/** View to location: from which cell is this the view? */
import { headingName } from '../../domain/grid/relations.ts'
import { amongOthers, questionText, sampleSightings } from './draw.ts'
import { viewText } from '../../domain/answers/sightings.ts'
import { drawViewpoint } from './viewpoint.ts'
import { task } from './task.ts'

export const bwdLoc = task('bwd_loc_text', (scene, random, profile) => {
  const viewpoint = drawViewpoint(scene, random)
  if (viewpoint === null) return null
  const { pose, origin, originText } = viewpoint
  const view = sampleSightings(random, viewpoint.view)
  const others = profile === 'fixed' ? amongOthers(view, viewpoint.view) : ''
  return {
    text: questionText('bwd-loc', profile, {
      orientation: headingName(pose.heading),
      observations: `You observe${others}: ${viewText(view, 'is at')}`,
      origin_instruction: originText,
    }),
    answer: { form: 'place', place: [pose.pos[0] - origin[0], pose.pos[1] - origin[1]], origin, pose, view },
  }
})
