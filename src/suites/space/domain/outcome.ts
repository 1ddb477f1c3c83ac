/** What is left of an episode: the player's words. The world is deterministic, so that the rest follows from them. */
import { z } from '../../../suite.ts'
import { MAP_KINDS } from '../prompts/prompts.ts'
import { PROFILES } from './profile.ts'

const mapReply = z.object({
  /** How many replies the player had given in this phase. */
  turn: z.int(),
  kind: z.enum([...MAP_KINDS, 'fog']),
  reply: z.string(),
})
export type MapReply = z.output<typeof mapReply>

const replies = { explored: z.array(z.string()), maps: z.array(mapReply) }

export const spaceOutcome = z.object({
  /** Under which rules it was played. */
  profile: z.enum(PROFILES),
  ...replies,
  answers: z.array(z.object({ question: z.string(), reply: z.string() })),
  revision: z.object(replies).nullable(),
})
export type SpaceOutcome = z.output<typeof spaceOutcome>
