/** Perspective decision: whose view is this? */
import type { Random } from '../../../../base/random.ts'
import type { Pose, Scene } from '../../domain/grid/scene.ts'
import { IMAGE } from '../../prompts.ts'
import { orientedObjects, pickByView, questionText, sightingsFrom, told } from './draw.ts'
import type { Drawn } from '../../domain/answers/question.ts'
import { viewText } from '../../domain/answers/sightings.ts'
import { task } from './task.ts'

function draw(scene: Scene, random: Random, byPicture: boolean): Drawn | null {
  const viewers = orientedObjects(scene).map((object) => {
    const pose: Pose = { pos: object.pos, heading: object.heading, rooms: [object.room] }
    return { object, pose, view: sightingsFrom(scene, pose) }
  })
  const viewer = pickByView(random, viewers, 1)
  if (viewer === null) return null
  const view = told(random, viewer.view)
  const observation = byPicture ? `You observe: ${IMAGE}` : viewText(view, 'is')
  return {
    text: questionText('bwd-pov', { observation }),
    answer: { form: 'name', name: viewer.object.name, view, rooms: [viewer.object.room], byPicture },
  }
}

export const bwdPov = task('bwd_pov_text', 'Perspective decision', (scene, random) => draw(scene, random, false))

export const bwdPovVision = task('bwd_pov_vision', 'Perspective decision from a picture', (scene, random) =>
  draw(scene, random, true),
)
