/** Perspective taking: where is an object, seen from another? */
import type { Pose } from '../../domain/grid/scene.ts'
import { visibleEntities } from '../../domain/grid/view.ts'
import { orientedObjects, questionText, relationAnswer } from './draw.ts'
import { sightingOf } from '../../domain/answers/sightings.ts'
import { task } from './task.ts'

export const pov = task('pov', (scene, random, profile) => {
  for (const anchor of random.shuffle(orientedObjects(scene))) {
    const pose: Pose = { pos: anchor.pos, heading: anchor.heading, rooms: [anchor.room] }
    const seen = visibleEntities(scene, pose).filter(({ kind }) => kind === 'object')
    if (seen.length === 0) continue
    const object = random.pick(seen)
    return {
      text: questionText('pov', profile, { anchor_name: anchor.name, obj_name: object.name }),
      answer: relationAnswer(sightingOf(object, pose)),
    }
  }
  return null
})
