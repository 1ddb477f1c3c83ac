import type { Corpus } from './corpus.ts'
import { articulateCritics } from './articulate.ts'
import { articulatePrograms } from './articulate-programs/corpus.ts'
import { space } from './space.ts'
import { vbenchReplies } from './vbench.ts'
import { vsiReplies } from './vsi.ts'

/** One corpus for every reader that a suite points at replies. */
export const corpora: Readonly<Record<string, Corpus>> = {
  'articulate critics': articulateCritics,
  'articulate programs': articulatePrograms,
  space,
  vbench: vbenchReplies,
  vsi: vsiReplies,
}
