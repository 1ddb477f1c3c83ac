/**
 * Scenes are built in a thread of their own: lighting a flat takes seconds, in which replies of models would wait and
 * time out.
 */
import { errorKind } from '../../../base/channel.ts'
import { Thread } from '../../../base/thread.ts'
import type { Tour } from '../../../world/film/index.ts'
import type { SceneKind } from '../../../world/rooms/scene.ts'
import type { Look, VsiSample } from '../case.ts'
import type { GlbOrigin } from './glb.ts'
import type { StageData } from './stage-data.ts'

/** What takes seconds; `../thread.ts` does it. */
export interface SceneWork {
  scan(given: { path: string }): Promise<StageData>
  builtin(given: { scene: SceneKind; seed: number; look: Look }): StageData
  tour(given: { scene: SceneKind; seed: number; look: Look }): { hash: string; tour: Tour }
  questions(given: { seed: number; index: number; look: Look }): VsiSample[]
  glb(origin: GlbOrigin): Promise<Uint8Array>
}

/** A mesh that is too large is a `RangeError`, which leaves its case out. */
export const SCENE_ERRORS = [errorKind(RangeError, ({ message }) => [message])]

const thread = new Thread<SceneWork>('../thread', import.meta.url, {
  title: 'the thread that builds scenes',
  handlers: {},
  errors: SCENE_ERRORS,
})

export const runInThread: typeof thread.call = (...call) => thread.call(...call)
