/** The outcome of an episode: the player's replies. The world is deterministic, so scoring needs nothing else. */
import { z } from '../../../suite.ts'
import { MAP_KINDS } from '../prompts/prompts.ts'
import { PROFILES } from './profile.ts'

const mapReply = z.object({
  /** Number of replies in this phase so far. */
  turn: z.int(),
  kind: z.enum([...MAP_KINDS, 'fog']),
  reply: z.string(),
})
export type MapReply = z.output<typeof mapReply>

const replies = { explored: z.array(z.string()), maps: z.array(mapReply) }

export const spaceOutcome = z.object({
  /** Profile of the run. */
  profile: z.enum(PROFILES),
  ...replies,
  answers: z.array(z.object({ question: z.string(), reply: z.string() })),
  revision: z.object(replies).nullable(),
  /** Maps of single views from the start, turned by these degrees. */
  singles: z.array(z.object({ degrees: z.int(), reply: z.string() })).optional(),
  /** After further changes. */
  later: z.array(z.object(replies)).optional(),
})
export type SpaceOutcome = z.output<typeof spaceOutcome>
