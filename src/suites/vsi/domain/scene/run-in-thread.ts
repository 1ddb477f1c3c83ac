/**
 * Scenes are built in a thread of their own: lighting a flat takes seconds, in which replies of models would wait and
 * time out.
 */
import { errorKind, Thread } from '../../../../suite.ts'
import type { Tour } from '../../../../world.ts'
import type { GlbOrigin } from './glb.ts'
import type { BuiltinOrigin } from './origin.ts'
import type { StageData } from './stage-data.ts'

/** What takes seconds; `thread.ts` does it. */
export interface SceneWork {
  scan(given: { path: string }): Promise<StageData>
  builtin(origin: BuiltinOrigin): StageData
  tour(origin: BuiltinOrigin): { hash: string; tour: Tour }
  glb(origin: GlbOrigin): Promise<Uint8Array>
}

/** A mesh that is too large is a `RangeError`, which leaves its sample out. */
export const SCENE_ERRORS = [errorKind(RangeError, ({ message }) => [message])]

const thread = new Thread<SceneWork>('./thread', import.meta.url, {
  title: 'the thread that builds scenes',
  handlers: {},
  errors: SCENE_ERRORS,
})

export const runInThread: typeof thread.call = (...call) => thread.call(...call)
