/** What the player did, as data that can be scored again years later. */
import type { Pose } from '../../../world/render/index.ts'
import type { Walked } from './walk.ts'
import type { CognitiveMap } from './cognitive-map.ts'

export interface VsiOutcome {
  /** What was read out of the replies; null when there was no answer. */
  answer: string | null
  /** The last reply, word for word: profiles that extract answers themselves read this. */
  reply: string
  /** `json` when the prompt asked for JSON, `direct` when it asked for the bare answer. */
  form: 'json' | 'direct'
  pictures: number
  /** Replies that could not be read. */
  unreadable: number
  /** The player's map and how well near and far places agree with the truth, where it was asked for. */
  map: CognitiveMap | null
  mapAgreement: number | null
  /** The same by true distance, nearest first: pairs of categories, and how many of them agree. */
  mapBins?: readonly { pairs: number; agreeing: number }[] | null
  path: readonly PathStep[] | null
}

/** A picture that was taken, and how the agent came there. */
export interface PathStep {
  position: readonly [number, number, number]
  /** Degrees counter-clockwise from +x. */
  heading: number
  asked: Walked['asked'] | null
  done: Walked['done'] | null
  blocked: boolean
}

export type { Pose }
