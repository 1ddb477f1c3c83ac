/** The outcome of an episode: the replies, and the size of the frame that points refer to. */
import { z } from '../../../suite.ts'
import { asrSchema } from './annotation.ts'

export const outcomeSchema = z.object({
  reply: z.string(),
  /** Size of the frame as shown, which pixel coordinates refer to. */
  shown: z.object({ width: z.number(), height: z.number() }),
  /** What the transcriber heard, if it was asked. */
  heard: asrSchema.exactOptional(),
  /** Replies of the judge, if there is one. */
  judge: z
    .object({
      /** Null if the profile has no judge for commands. */
      intent: z.string().nullable(),
      /** The second reply, if the first had no score. */
      again: z.string().exactOptional(),
      /** About all moments in one reply. */
      temporal: z.string().nullable(),
      /** About the moment of each point; null for a point without a range. */
      moments: z.array(z.string().nullable()).exactOptional(),
    })
    .nullable(),
})

export type VsigOutcome = z.output<typeof outcomeSchema>
