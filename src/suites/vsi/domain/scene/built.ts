/** Built-in scenes as unlit geometry, which is all that questions, maps and camera paths need. */
import { hashOf, LruCache } from '../../../../suite.ts'
import type { CameraSettings } from '../camera.ts'
import type { BuiltinOrigin } from './origin.ts'
import {
  buildScene,
  type FreeSpace,
  freeSpace,
  generateScene,
  planTour,
  type Scene,
  type SceneObject,
  type Tour,
  type TriangleMesh,
} from '../../../../world.ts'

export const VIDEO_FPS = 10

export interface BuiltScene {
  scene: Scene
  mesh: TriangleMesh
  objects: readonly SceneObject[]
  space: () => FreeSpace
  /** The walkthrough that a camera films. */
  tour: (camera: CameraSettings) => Tour
}

/** A few are enough: questions, stages and videos of one scene follow each other. */
const built = new LruCache<BuiltScene>(4)

/** The same for every look. */
export function builtScene(origin: BuiltinOrigin): BuiltScene {
  return built.getOrCreate(hashOf({ ...origin, look: null }), () => build(origin))
}

function build({
  scene: kind,
  seed,
  rooms,
  objects: furniture,
  clutter,
  lookAlikes,
  lighting,
}: BuiltinOrigin): BuiltScene {
  const scene = generateScene({
    kind,
    seed,
    ...(rooms !== undefined && { rooms }),
    ...(furniture !== undefined && { objects: furniture }),
    ...(clutter !== undefined && { clutter }),
    ...(lookAlikes !== undefined && { lookAlikes }),
    ...(lighting !== undefined && { lighting }),
  })
  const { mesh, objects } = buildScene(scene, { light: false })
  let space: FreeSpace | undefined
  const tours = new LruCache<Tour>(4)
  const made: BuiltScene = {
    scene,
    mesh,
    objects,
    space: () => (space ??= freeSpace(mesh)),
    tour: ({ eyeMeters, pitchDegrees }) =>
      tours.getOrCreate(`${eyeMeters}/${pitchDegrees}`, () =>
        planTour(mesh, { space: made.space(), fps: VIDEO_FPS, eyeMeters, pitchDegrees }),
      ),
  }
  return made
}
