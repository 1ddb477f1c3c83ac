/** What is kept of an episode: the words, and the size of the picture they speak of. */
import { z } from '../../../suite.ts'

export const outcomeSchema = z.object({
  reply: z.string(),
  /** The picture as shown: what pixel coordinates refer to. */
  shown: z.object({ width: z.number(), height: z.number() }),
  /** What the judge wrote, where there is one. */
  judge: z
    .object({
      /** Null where the profile has no judge of commands. */
      intent: z.string().nullable(),
      /** When the first reply had no score in it. */
      again: z.string().exactOptional(),
      /** About all moments at once. */
      temporal: z.string().nullable(),
      /** About the moment of each point; null for a point without a range. */
      moments: z.array(z.string().nullable()).exactOptional(),
    })
    .nullable(),
})

export type VsigOutcome = z.output<typeof outcomeSchema>
