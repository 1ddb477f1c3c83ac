/** Entry point of the thread that generates questions. */
import { serveThread } from '../../../suite.ts'
import type { QuestionWork } from './builtin.ts'
import { answerable, makeSamples } from './builtin-questions.ts'

serveThread<QuestionWork>({
  questions: ({ budget, ...scene }) => {
    const samples = makeSamples(scene)
    return budget === null ? samples : answerable(samples, budget)
  },
})
