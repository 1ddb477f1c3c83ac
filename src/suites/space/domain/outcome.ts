/** What is left of an episode: the player's words. The world is deterministic, so that the rest follows from them. */
import type { MapKind } from '../prompts.ts'
import type { Profile } from './profile.ts'

export interface MapReply {
  /** How many replies the player had given in this phase. */
  turn: number
  kind: MapKind | 'fog'
  reply: string
}

export interface SpaceOutcome {
  /** Under which rules it was played. */
  profile: Profile
  explored: string[]
  maps: MapReply[]
  answers: { question: string; reply: string }[]
  revision: { explored: string[]; maps: MapReply[] } | null
}
