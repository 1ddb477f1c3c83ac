/** What the question thread does. */
import { builtScene } from '../domain/scene/built.ts'
import { ownScene } from '../domain/scene/own.ts'
import { makeSamples } from './builtin-questions.ts'
import { answerable } from './known-questions.ts'
import { ownSamples } from './own-questions.ts'
import type { QuestionWork } from './question-thread.ts'

export const questionWork: QuestionWork = {
  builtin: ({ budget, ...scene }) => {
    const samples = makeSamples(scene)
    const origin = samples[0]?.scene
    return budget === null || origin?.kind !== 'builtin' ? samples : answerable(samples, builtScene(origin), budget)
  },
  own: async ({ budget, ...scene }) => {
    const samples = await ownSamples(scene)
    return budget === null ? samples : answerable(samples, await ownScene(scene.folder), budget)
  },
}
