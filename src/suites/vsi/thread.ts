/** The thread that builds scenes, and the questions about them. */
import { serveThread } from '../../base/thread.ts'
import { builtScene } from './scene/built.ts'
import { glbOf } from './scene/glb.ts'
import { SCENE_ERRORS, type SceneWork } from './scene/run-in-thread.ts'
import { builtinData, builtinHash, scanData } from './scene/stage-data.ts'
import { makeCases } from './source/builtin-questions.ts'

serveThread<SceneWork>(
  {
    scan: ({ path }) => scanData(path),
    builtin: ({ scene, seed, look }) => builtinData(scene, seed, look),
    tour: ({ scene: kind, seed, look }) => {
      const { scene, tour } = builtScene(kind, seed)
      return { hash: builtinHash(scene, look), tour: tour() }
    },
    questions: ({ seed, index, look }) => makeCases(seed, index, look),
    glb: glbOf,
  },
  SCENE_ERRORS,
)
