/** The thread that thinks of questions. */
import { serveThread } from '../../../suite.ts'
import type { QuestionWork } from './builtin.ts'
import { makeCases } from './builtin-questions.ts'

serveThread<QuestionWork>({ questions: ({ seed, index, look }) => makeCases(seed, index, look) })
