/** View to location: from which cell this is seen. */
import type { Random } from '../../../../base/random.ts'
import { headingName } from '../../domain/grid/relations.ts'
import type { Scene } from '../../domain/grid/scene.ts'
import { IMAGE } from '../../prompts.ts'
import { questionText, told } from './draw.ts'
import type { Drawn } from '../../domain/answers/question.ts'
import { viewText } from '../../domain/answers/sightings.ts'
import { drawStandpoint } from './standpoint.ts'
import { task } from './task.ts'

function draw(scene: Scene, random: Random, byPicture: boolean): Drawn | null {
  const standpoint = drawStandpoint(scene, random)
  if (standpoint === null) return null
  const { pose, origin, originText } = standpoint
  const view = told(random, standpoint.view)
  return {
    text: questionText('bwd-loc', {
      orientation: headingName(pose.heading),
      observations: `You observe: ${byPicture ? IMAGE : viewText(view, 'is at')}`,
      origin_instruction: originText,
    }),
    answer: { form: 'place', place: [pose.pos[0] - origin[0], pose.pos[1] - origin[1]], origin, pose, view },
  }
}

export const bwdLoc = task('bwd_loc_text', 'View to location', (scene, random) => draw(scene, random, false))

export const bwdLocVision = task('bwd_loc_vision', 'View to location from a picture', (scene, random) =>
  draw(scene, random, true),
)
