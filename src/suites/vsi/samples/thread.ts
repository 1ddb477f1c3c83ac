/** Entry point of the thread that generates questions. */
import { serveThread } from '../../../suite.ts'
import type { QuestionWork } from './builtin.ts'
import { answerable, makeSamples } from './builtin-questions.ts'

serveThread<QuestionWork>({
  questions: ({ seed, index, look, budget }) => {
    const samples = makeSamples(seed, index, look)
    return budget === null ? samples : answerable(samples, budget)
  },
})
