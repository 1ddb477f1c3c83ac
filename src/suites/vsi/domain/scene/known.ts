/** A scene whose objects are known, as unlit geometry: all that questions, maps and camera paths need. */
import { LruCache } from '../../../../suite.ts'
import {
  type FreeSpace,
  freeSpace,
  planTour,
  type SceneObject,
  type Tour,
  type TourPath,
  type TriangleMesh,
} from '../../../../world.ts'
import type { Bounds } from '../bounds.ts'
import type { CameraSettings } from '../camera.ts'

export const VIDEO_FPS = 10

/** What is known of a scene besides its shape. */
export interface Contents {
  objects: readonly SceneObject[]
  bounds: Bounds
  /** Floor of all rooms, in square meters. */
  area: number
  rooms: number
}

export interface KnownScene extends Contents {
  /** Each triangle has the number of its object. */
  mesh: TriangleMesh
  space: () => FreeSpace
  /** The walkthrough that a camera films. */
  tour: (camera: CameraSettings) => Tour
}

export function knownScene(mesh: TriangleMesh, contents: Contents, path: TourPath = 'tour'): KnownScene {
  let space: FreeSpace | undefined
  const tours = new LruCache<Tour>(4)
  const known: KnownScene = {
    ...contents,
    mesh,
    space: () => (space ??= freeSpace(mesh)),
    tour: ({ eyeMeters, pitchDegrees }) =>
      tours.getOrCreate(`${eyeMeters}/${pitchDegrees}`, () =>
        planTour(mesh, { path, space: known.space(), fps: VIDEO_FPS, eyeMeters, pitchDegrees }),
      ),
  }
  return known
}
