/** What one more look would have shown: whether an exploration ended too early. */
import { HEADINGS, type Pose } from '../grid/scene.ts'
import { entitiesOf, poseAt, visibleEntities } from '../grid/view.ts'
import { type ExplorationState, jumpProblem } from './exploration.ts'

/** The largest share of all objects and doors that one view, wherever the player may go for it, would newly show. */
export function oneMoreLook({ scene, pose, observed }: Pick<ExplorationState, 'scene' | 'pose' | 'observed'>): number {
  const entities = entitiesOf(scene)
  if (entities.length === 0) return 0
  const keyOf = ({ pos, rooms }: Pose): string => [...pos, ...rooms].join()
  const reached = new Set([keyOf(pose)])
  const places = [pose]
  let most = 0
  for (const place of places) {
    for (const heading of HEADINGS) {
      const view = { ...place, heading }
      most = Math.max(most, visibleEntities(scene, view).filter(({ name }) => !observed.has(name)).length)
      for (const target of entities) {
        if (jumpProblem(view, target, observed) !== null) continue
        const next = poseAt(scene, target, heading)
        if (reached.has(keyOf(next))) continue
        reached.add(keyOf(next))
        places.push(next)
      }
    }
  }
  return most / entities.length
}
