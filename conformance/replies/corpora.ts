import { articulatePrograms } from './articulate-programs/corpus.ts'
import type { Corpus } from './corpus.ts'

/** One corpus for every reader that a suite points at replies. */
export const corpora: Readonly<Record<string, Corpus>> = {
  'articulate-programs': articulatePrograms,
}
