/** Built-in scenes as shapes, without light: all that questions, maps and camera paths need. */
import { Recent } from '../../../base/recent.ts'
import { planTour, type Tour } from '../../../world/film/tour.ts'
import { type FreeSpace, freeSpace } from '../../../world/geometry/index.ts'
import type { SceneObject, TriangleMesh } from '../../../world/mesh.ts'
import { buildScene } from '../../../world/rooms/assemble.ts'
import { generateScene } from '../../../world/rooms/generate.ts'
import type { Scene, SceneKind } from '../../../world/rooms/scene.ts'

export const FILM_FPS = 10

export interface Built {
  scene: Scene
  mesh: TriangleMesh
  objects: readonly SceneObject[]
  space: () => FreeSpace
  tour: () => Tour
}

/** The last few: questions, stages and films of one scene follow each other. */
const built = new Recent<Built>(4)

export function builtScene(kind: SceneKind, seed: number): Built {
  return built.of(`${kind}/${seed}`, () => build(kind, seed))
}

function build(kind: SceneKind, seed: number): Built {
  const scene = generateScene({ kind, seed })
  const { mesh, objects } = buildScene(scene, { light: false })
  let space: FreeSpace | undefined
  let tour: Tour | undefined
  const made: Built = {
    scene,
    mesh,
    objects,
    space: () => (space ??= freeSpace(mesh)),
    tour: () => (tour ??= planTour(mesh, { space: made.space(), fps: FILM_FPS })),
  }
  return made
}
