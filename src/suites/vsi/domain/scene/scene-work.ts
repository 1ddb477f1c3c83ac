/** What the scene thread does. */
import { builtScene } from './built.ts'
import { glbOf } from './glb.ts'
import { ownScene } from './own.ts'
import type { SceneWork } from './run-in-thread.ts'
import { builtinData, builtinHash, ownData, scanData } from './stage-data.ts'

export const sceneWork: SceneWork = {
  scan: ({ path }) => scanData(path),
  builtin: builtinData,
  tour: ({ camera, ...origin }) => {
    const { scene, tour } = builtScene(origin)
    return { hash: builtinHash(scene, origin.look), tour: tour(camera) }
  },
  own: ({ folder }) => ownData(folder),
  ownTour: async ({ folder, camera }) => {
    const { hash, tour } = await ownScene(folder)
    return { hash, tour: tour(camera) }
  },
  glb: glbOf,
}
