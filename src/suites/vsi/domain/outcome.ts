/** What the player did, as data that can be rescored later. */
import { z } from 'zod'
import { cognitiveMap } from './cognitive-map.ts'

const move = z.object({
  turnDegrees: z.number(),
  forwardMeters: z.number(),
  leftMeters: z.number(),
  upMeters: z.number(),
})

/** A pose from which the agent saw an image, and the move that led to it. */
const pathStep = z.object({
  position: z.tuple([z.number(), z.number(), z.number()]).readonly(),
  /** Degrees counterclockwise from +x. */
  heading: z.number(),
  asked: move.nullable(),
  done: move.nullable(),
  blocked: z.boolean(),
  /** Horizontal field of view in degrees, where the player chooses it with the pose. */
  fov: z.number().optional(),
})
export type PathStep = z.output<typeof pathStep>

export const vsiOutcome = z.object({
  /** The parsed answer; null if there was none. */
  answer: z.string().nullable(),
  /** The last reply verbatim, for profiles that extract the answer themselves. */
  reply: z.string(),
  /** `json` if the prompt asked for JSON, `direct` if it asked for the bare answer. */
  form: z.enum(['json', 'direct']),
  pictures: z.int(),
  /** Number of unreadable replies. */
  unreadable: z.int(),
  /** The player's map, if it was asked for, and the share of distances that agree with the true map. */
  map: cognitiveMap.nullable(),
  mapAgreement: z.number().nullable(),
  /** Pairs of categories and how many of them agree, by true distance, nearest first. */
  mapBins: z
    .array(z.object({ pairs: z.int(), agreeing: z.int() }))
    .readonly()
    .nullish(),
  /** The true map and the cells per side, if a map was asked for and the truth is known. */
  trueMap: cognitiveMap.nullish(),
  mapCells: z.int().optional(),
  path: z.array(pathStep).readonly().nullable(),
})
export type VsiOutcome = z.output<typeof vsiOutcome>
