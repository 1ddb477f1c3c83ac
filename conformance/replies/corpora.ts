import type { Corpus } from './corpus.ts'
import { vsigAnswers, vsigJudges } from './vsig.ts'

/** One corpus for every reader that a suite points at replies. */
export const corpora: Readonly<Record<string, Corpus>> = {
  'VSIG answers': vsigAnswers,
  'VSIG judges': vsigJudges,
}
