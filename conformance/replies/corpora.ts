import type { Corpus } from './corpus.ts'
import { vbenchReplies } from './vbench.ts'
import { vsiReplies } from './vsi.ts'

/** One corpus for every reader that a suite points at replies. */
export const corpora: Readonly<Record<string, Corpus>> = {
  vbench: vbenchReplies,
  vsi: vsiReplies,
}
