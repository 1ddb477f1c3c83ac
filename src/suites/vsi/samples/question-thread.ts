/** Questions are generated in a thread: it takes seconds per scene, and would block model requests. */
import { hashOf, LruCache, Thread } from '../../../suite.ts'
import { DEFAULT_FRAMES, type VsiOptions } from '../options.ts'
import type { SceneRequest } from './builtin-questions.ts'
import type { Budget } from './known-questions.ts'
import type { OwnRequest } from './own-questions.ts'
import type { VsiSample } from './sample.ts'

type Samples = readonly (VsiSample | null)[]

/** Calls served by `thread.ts`. */
export interface QuestionWork {
  builtin(given: SceneRequest & { budget: Budget | null }): Samples
  own(given: OwnRequest & { budget: Budget | null }): Promise<Samples>
}

const thread = new Thread<QuestionWork>('./thread', import.meta.url, {
  title: 'the question thread',
  handlers: {},
  functions: async () => (await import('./question-work.ts')).questionWork,
})

/** Cached because a run iterates its samples more than once, and several suites share them. */
const made = new LruCache<Promise<Samples>>(2000)

/** The questions of a scene; null in place of those that the images of a budget do not answer. */
export function builtinSamples(scene: SceneRequest, budget: Budget | null): Promise<Samples> {
  return made.getOrCreate(hashOf({ ...scene, budget }), () => thread.call('builtin', { ...scene, budget }))
}

export function samplesOfOwn(scene: OwnRequest, budget: Budget | null): Promise<Samples> {
  return made.getOrCreate(hashOf({ ...scene, budget }), () => thread.call('own', { ...scene, budget }))
}

/** The images of a run with which some questions may not be answerable; null for the default ones. */
export function budgetOf({ frames, steps, input, lens, height, pitch, size, unanswerable }: VsiOptions): Budget | null {
  if (unanswerable === 'ask') return null
  const camera = {
    ...(lens !== undefined && { lens }),
    ...(height !== undefined && { height }),
    ...(pitch !== undefined && { pitch }),
    ...(size !== undefined && { size }),
  }
  const other = Object.keys(camera).length > 0
  if (frames !== undefined) {
    const fewer = input !== 'video' && frames !== DEFAULT_FRAMES
    return fewer || other ? { camera, frames: input === 'video' ? WHOLE_VIDEO : frames } : null
  }
  return steps !== undefined || other ? { camera, steps: steps ?? WHOLE_SURVEY } : null
}

/** More than any walkthrough has frames, and more moves than any survey takes. */
const WHOLE_VIDEO = 256
const WHOLE_SURVEY = 256
