/**
 * Builds scenes in a separate thread: lighting an apartment takes seconds, during which model requests in the main
 * thread would time out.
 */
import { errorKind, Thread } from '../../../../suite.ts'
import type { Tour } from '../../../../world.ts'
import type { CameraSettings } from '../camera.ts'
import type { GlbOrigin } from './glb.ts'
import type { BuiltinOrigin } from './origin.ts'
import type { StageData } from './stage-data.ts'

/** The slow calls, served by `thread.ts`. */
export interface SceneWork {
  scan(given: { path: string }): Promise<StageData>
  builtin(origin: BuiltinOrigin): StageData
  tour(origin: BuiltinOrigin & { camera: CameraSettings }): { hash: string; tour: Tour }
  own(given: { folder: string }): Promise<StageData>
  ownTour(given: { folder: string; camera: CameraSettings }): Promise<{ hash: string; tour: Tour }>
  glb(origin: GlbOrigin): Promise<Uint8Array>
}

/** A mesh that is too large throws a `RangeError`, which marks its samples as missing. */
export const SCENE_ERRORS = [errorKind(RangeError, ({ message }) => [message])]

const thread = new Thread<SceneWork>('./thread', import.meta.url, {
  title: 'the scene thread',
  handlers: {},
  errors: SCENE_ERRORS,
  functions: async () => (await import('./scene-work.ts')).sceneWork,
})

export const runInThread: typeof thread.call = (...call) => thread.call(...call)
