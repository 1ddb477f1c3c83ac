/** The camera of an Observe. */
import { type Camera, fieldOfView, lookAlong } from '../../../../world.ts'
import type { Pose } from '../grid/scene.ts'
import type { Profile } from '../profile.ts'

/** Pixels per side of the published images. */
export const PUBLISHED_SIZE = 384
/**
 * Pixels per side. `fixed` has more, for the facing of a small object to be visible from the far end of a
 * room.
 */
export const IMAGE_SIZE = { fixed: 512, upstream: PUBLISHED_SIZE } as const satisfies Record<Profile, number>
/**
 * Meters above the floor, as in the published renderer: high enough to see over near objects, low enough to see fronts
 * rather than tops.
 */
export const CAMERA_HEIGHT = 0.8
/**
 * Degrees from edge to edge. What counts as seen is 90°; the image is wider, so an object at 45° is not cut in half.
 * Published: 95, which still cuts most of them.
 */
export const FIELD_OF_VIEW = { fixed: 100, upstream: 95 } as const satisfies Record<Profile, number>
/**
 * Near plane at half a cell. Objects and doors stay within their cells, so this hides exactly the object or door at the
 * viewer's own cell.
 */
export const NEAR = 0.5

export function cameraAt({ pos, heading }: Pick<Pose, 'pos' | 'heading'>, profile: Profile): Camera {
  const size = IMAGE_SIZE[profile]
  return {
    pose: lookAlong([pos[0], pos[1], CAMERA_HEIGHT], [heading[0], heading[1], 0]),
    lens: fieldOfView(FIELD_OF_VIEW[profile], size, size),
    near: NEAR,
  }
}
