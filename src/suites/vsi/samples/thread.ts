/** Entry point of the thread that generates questions. */
import { serveThread } from '../../../suite.ts'
import type { QuestionWork } from './builtin.ts'
import { makeSamples } from './builtin-questions.ts'

serveThread<QuestionWork>({ questions: ({ seed, index, look }) => makeSamples(seed, index, look) })
