/** Built-in scenes as unlit geometry, which is all that questions, maps and camera paths need. */
import { LruCache } from '../../../../suite.ts'
import type { CameraSettings } from '../camera.ts'
import {
  buildScene,
  type FreeSpace,
  freeSpace,
  generateScene,
  planTour,
  type Scene,
  type SceneKind,
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

export function builtScene(kind: SceneKind, seed: number): BuiltScene {
  return built.getOrCreate(`${kind}/${seed}`, () => build(kind, seed))
}

function build(kind: SceneKind, seed: number): BuiltScene {
  const scene = generateScene({ kind, seed })
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
