/** The camera of an Observe. */
import { type Camera, fieldOfView, lookAlong } from '../../../../world.ts'
import type { Pose } from '../grid/scene.ts'
import type { Profile } from '../profile.ts'

export const IMAGE_SIZE = 384
/**
 * Meters above the floor, as in the published renderer: high enough to see over near objects, low enough to see fronts
 * rather than tops.
 */
export const CAMERA_HEIGHT = 0.8
/** Degrees from edge to edge: as stated in the prompt, and as used by the published renderer. */
export const FIELD_OF_VIEW = { fixed: 90, upstream: 95 } as const satisfies Record<Profile, number>
/**
 * Near plane at half a cell. Objects and doors stay within their cells, so this hides exactly the object or door at the
 * viewer's own cell.
 */
export const NEAR = 0.5

export function cameraAt({ pos, heading }: Pick<Pose, 'pos' | 'heading'>, profile: Profile): Camera {
  return {
    pose: lookAlong([pos[0], pos[1], CAMERA_HEIGHT], [heading[0], heading[1], 0]),
    lens: fieldOfView(FIELD_OF_VIEW[profile], IMAGE_SIZE, IMAGE_SIZE),
    near: NEAR,
  }
}
