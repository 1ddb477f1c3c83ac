/** Entry point of the scene thread. */
import { serveThread } from '../../../../suite.ts'
import { builtScene } from './built.ts'
import { glbOf } from './glb.ts'
import { SCENE_ERRORS, type SceneWork } from './run-in-thread.ts'
import { ownScene } from './own.ts'
import { builtinData, builtinHash, ownData, scanData } from './stage-data.ts'

serveThread<SceneWork>(
  {
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
  },
  SCENE_ERRORS,
)
