/** What of a view can be made out in its picture. */
import { pixelCounts } from '../../../../world.ts'
import type { Entity, Scene } from '../grid/scene.ts'
import { instanceOf } from './build.ts'

/** A thing of fewer pixels is nothing that one could point at. */
export const FEWEST_PIXELS = 40

/** Names of what should be in view but has too few pixels in the picture. */
export function hiddenIn(scene: Scene, visible: readonly Entity[], ids: Uint16Array): string[] {
  const counts = pixelCounts(ids, scene.order.length)
  return visible.filter(({ name }) => counts[instanceOf(scene, name)]! < FEWEST_PIXELS).map(({ name }) => name)
}
