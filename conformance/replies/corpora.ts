import { articulatePrograms } from './articulate-programs/corpus.ts'
import { articulateCritics } from './articulate.ts'
import type { Corpus } from './corpus.ts'
import { questionReplies } from './questions.ts'
import { space } from './space.ts'
import { vbenchReplies } from './vbench.ts'
import { vsiReplies } from './vsi.ts'
import { vsigAnswers, vsigJudges } from './vsig.ts'

/** One corpus for every reader that a suite points at replies. */
export const corpora: Readonly<Record<string, Corpus>> = {
  'articulate critics': articulateCritics,
  'articulate programs': articulatePrograms,
  questions: questionReplies,
  space,
  'vbench judge': vbenchReplies,
  vsi: vsiReplies,
  'vsig answers': vsigAnswers,
  'vsig judge': vsigJudges,
}
