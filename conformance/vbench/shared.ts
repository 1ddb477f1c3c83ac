/** How verdicts on VBench are given. */
import { z } from 'zod'
import { SubmissionRefusal } from '../../src/suites/vbench/published/results.ts'
import { type Verdict, verdict } from '../agreement/check.ts'

/** What an oracle has in the place of a result where the published code fails. */
export const raises = z.object({ upstream_raises: z.string() })

/** Where the published code raises, we must refuse with the same kind of error; its words are not compared. */
export function refused(where: string, theirs: string, ours: () => unknown): Verdict {
  const kind = theirs.split(':')[0]!
  try {
    return verdict(where, `ours ${JSON.stringify(ours())}, theirs raises ${theirs}`)
  } catch (error) {
    if (!(error instanceof SubmissionRefusal)) throw error
    const our = error.message.split(':')[0]!
    return verdict(where, our === kind ? null : `ours raises ${our}, theirs ${kind}`)
  }
}
