/** What the player did, as data that can be scored again years later. */
import { z } from 'zod'
import { cognitiveMap } from './cognitive-map.ts'

const move = z.object({
  turnDegrees: z.number(),
  forwardMeters: z.number(),
  leftMeters: z.number(),
  upMeters: z.number(),
})

/** A picture that was taken, and how the agent came there. */
const pathStep = z.object({
  position: z.tuple([z.number(), z.number(), z.number()]).readonly(),
  /** Degrees counter-clockwise from +x. */
  heading: z.number(),
  asked: move.nullable(),
  done: move.nullable(),
  blocked: z.boolean(),
})
export type PathStep = z.output<typeof pathStep>

export const vsiOutcome = z.object({
  /** What was read out of the replies; null when there was no answer. */
  answer: z.string().nullable(),
  /** The last reply, word for word: profiles that extract answers themselves read this. */
  reply: z.string(),
  /** `json` when the prompt asked for JSON, `direct` when it asked for the bare answer. */
  form: z.enum(['json', 'direct']),
  pictures: z.int(),
  /** Replies that could not be read. */
  unreadable: z.int(),
  /** The player's map and how well near and far places agree with the truth, where it was asked for. */
  map: cognitiveMap.nullable(),
  mapAgreement: z.number().nullable(),
  /** The same by true distance, nearest first: pairs of categories, and how many of them agree. */
  mapBins: z
    .array(z.object({ pairs: z.int(), agreeing: z.int() }))
    .readonly()
    .nullish(),
  path: z.array(pathStep).readonly().nullable(),
})
export type VsiOutcome = z.output<typeof vsiOutcome>
