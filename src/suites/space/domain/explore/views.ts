/** One Observe as data: who stood where and saw what. Coverage, fog and solver all feed on it. */
import type { Entity, Pose, Scene } from '../grid/scene.ts'
import { entityAt, START, visibleEntities } from '../grid/view.ts'

export interface View {
  /** Name of what the viewer stands on: an entity, or `initial_pos`. */
  anchor: string
  pose: Pose
  /** In the scene's order of listing. */
  visible: readonly Entity[]
}

export function takeView(scene: Scene, pose: Pose): View {
  return { anchor: anchorAt(scene, pose), pose, visible: visibleEntities(scene, pose) }
}

function anchorAt(scene: Scene, { pos }: Pose): string {
  if (pos[0] === scene.start.pos[0] && pos[1] === scene.start.pos[1]) return START
  return entityAt(scene, pos)?.name ?? START
}
