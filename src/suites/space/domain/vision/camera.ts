/** Where the picture of an Observe is taken. */
import { type Camera, fieldOfView, lookAlong } from '../../../../world.ts'
import type { Pose } from '../grid/scene.ts'
import type { Profile } from '../profile.ts'

export const IMAGE_SIZE = 384
/**
 * Metres above the floor, as the published renderer has it: above most objects, so that one looks over what is near at
 * what is behind it, and low enough to see fronts rather than tops.
 */
export const CAMERA_HEIGHT = 0.8
/** Degrees from edge to edge: what the prompt says, and what the published renderer really used. */
export const FIELD_OF_VIEW = { fixed: 90, upstream: 95 } as const satisfies Record<Profile, number>
/**
 * Nothing nearer than half a cell is drawn. Objects and doors keep within their cells, so this hides exactly what the
 * viewer stands on, and opens the door that it stands in.
 */
export const NEAR = 0.5

export function cameraAt({ pos, heading }: Pick<Pose, 'pos' | 'heading'>, profile: Profile): Camera {
  return {
    pose: lookAlong([pos[0], pos[1], CAMERA_HEIGHT], [heading[0], heading[1], 0]),
    lens: fieldOfView(FIELD_OF_VIEW[profile], IMAGE_SIZE, IMAGE_SIZE),
    near: NEAR,
  }
}
