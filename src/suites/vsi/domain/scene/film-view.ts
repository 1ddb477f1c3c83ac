/** What the camera of a built-in walkthrough sees. */
import { type Camera, focalLength, type Pose } from '../../../../world.ts'

/** Phones film narrower than the agent sees: 66° from left to right. */
export const FILM_VIEW = { width: 640, height: 480, focal: 490, near: 0.1 } as const

export function filmCamera(pose: Pose): Camera {
  return { pose, lens: focalLength(FILM_VIEW.focal, FILM_VIEW.width, FILM_VIEW.height), near: FILM_VIEW.near }
}
