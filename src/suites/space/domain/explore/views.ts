/** The view of one Observe, as input for coverage, fog and solver. */
import type { Entity, Pose, Scene } from '../grid/scene.ts'
import { entityAt, START, visibleEntities } from '../grid/view.ts'

export interface View {
  /** Name of the viewer's position: an entity, or `initial_pos`. */
  anchor: string
  pose: Pose
  /** In the scene's listing order. */
  visible: readonly Entity[]
}

export function takeView(scene: Scene, pose: Pose): View {
  return { anchor: anchorAt(scene, pose), pose, visible: visibleEntities(scene, pose) }
}

function anchorAt(scene: Scene, { pos }: Pose): string {
  if (pos[0] === scene.start.pos[0] && pos[1] === scene.start.pos[1]) return START
  return entityAt(scene, pos)?.name ?? START
}
