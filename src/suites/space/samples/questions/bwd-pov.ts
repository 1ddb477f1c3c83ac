/** Perspective decision: whose view is this? */
import type { Pose } from '../../domain/grid/scene.ts'
import { amongOthers, orientedObjects, pickByView, questionText, sightingsFrom, sampleSightings } from './draw.ts'
import { viewText } from '../../domain/answers/sightings.ts'
import { task } from './task.ts'

export const bwdPov = task('bwd_pov_text', (scene, random, profile) => {
  const viewers = orientedObjects(scene).map((object) => {
    const pose: Pose = { pos: object.pos, heading: object.heading, rooms: [object.room] }
    return { object, pose, view: sightingsFrom(scene, pose) }
  })
  const viewer = pickByView(random, viewers, 1)
  if (viewer === null) return null
  const view = sampleSightings(random, viewer.view)
  return {
    text: questionText('bwd-pov', profile, {
      observation: viewText(view, 'is'),
      ...(profile === 'fixed' && { among_others: amongOthers(view, viewer.view, ',') }),
    }),
    answer: { form: 'name', name: viewer.object.name, view, rooms: [viewer.object.room], byPicture: false },
  }
})
