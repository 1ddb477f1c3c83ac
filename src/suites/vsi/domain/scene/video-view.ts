/** The camera of a built-in walkthrough. */
import { type Camera, focalLength, type Pose } from '../../../../world.ts'

/** A horizontal field of view of 66°, as on a phone: narrower than the agent's. */
export const VIDEO_VIEW = { width: 640, height: 480, focal: 490, near: 0.1 } as const

export function videoCamera(pose: Pose): Camera {
  return { pose, lens: focalLength(VIDEO_VIEW.focal, VIDEO_VIEW.width, VIDEO_VIEW.height), near: VIDEO_VIEW.near }
}
