/** View to location: from which cell is this the view? */
import type { Random } from '../../../../suite.ts'
import { possibleCells } from '../../domain/answers/place.ts'
import type { PlaceAnswer } from '../../domain/answers/question.ts'
import { viewText } from '../../domain/answers/sightings.ts'
import { headingName } from '../../domain/grid/relations.ts'
import type { Scene } from '../../domain/grid/scene.ts'
import type { Profile } from '../../domain/profile.ts'
import { amongOthers, questionText, sampleSightings } from './draw.ts'
import { task } from './task.ts'
import { drawViewpoint } from './viewpoint.ts'

/** Most views fit one cell only. */
const MAX_DRAWS = 30

export const bwdLoc = task('bwd_loc_text', (scene, random, profile) => {
  let drawn = drawQuestion(scene, random, profile)
  // The published questions leave it open where several cells have the described view.
  const draws = profile === 'fixed' ? MAX_DRAWS : 1
  for (let draw = 1; drawn !== null && draw < draws; draw++) {
    if (possibleCells(drawn.answer, scene).length === 1) break
    drawn = drawQuestion(scene, random, profile)
  }
  return drawn
})

function drawQuestion(scene: Scene, random: Random, profile: Profile): { text: string; answer: PlaceAnswer } | null {
  const viewpoint = drawViewpoint(scene, random)
  if (viewpoint === null) return null
  const { pose, origin, originText } = viewpoint
  const view = sampleSightings(random, profile === 'fixed' ? viewpoint.untold : viewpoint.view)
  const others = profile === 'fixed' ? amongOthers(view, viewpoint.view) : ''
  return {
    text: questionText('bwd-loc', profile, {
      orientation: headingName(pose.heading),
      observations: `You observe${others}: ${viewText(view, 'is at')}`,
      origin_instruction: originText,
    }),
    answer: { form: 'place', place: [pose.pos[0] - origin[0], pose.pos[1] - origin[1]], origin, pose, view },
  }
}
