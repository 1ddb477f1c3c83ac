/** Entry point of the thread that generates questions. */
import { serveThread } from '../../../suite.ts'
import type { QuestionWork } from './question-thread.ts'
import { questionWork } from './question-work.ts'

serveThread<QuestionWork>(questionWork)
