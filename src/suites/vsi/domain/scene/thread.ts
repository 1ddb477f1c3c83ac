/** Entry point of the scene thread. */
import { serveThread } from '../../../../suite.ts'
import { SCENE_ERRORS, type SceneWork } from './run-in-thread.ts'
import { sceneWork } from './scene-work.ts'

serveThread<SceneWork>(sceneWork, SCENE_ERRORS)
