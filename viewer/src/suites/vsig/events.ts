/** What VSIG records. The suite's README says what each field means. */
import { z } from '../../episode/read.ts'

const pair = z.tuple([z.number(), z.number()])
const size = z.object({ width: z.number(), height: z.number() })

const mask = z.object({ box: z.array(z.number()), frame: size, offset: pair, path: z.string() })
export type Mask = z.infer<typeof mask>

const slot = z.object({
  name: z.string(),
  kind: z.string(),
  points: z.array(pair),
  mask: z.nullable(mask),
  area: z.nullable(z.object({ center: pair, radius: z.number() })),
  window: z.nullable(pair),
  unmeasured: z.optional(z.nullable(z.string())),
})
export type TrueSlot = z.infer<typeof slot>

export const frameEvent = z.object({ frame: z.number(), ms: z.number(), picture: z.string() })

export const clipEvent = z.object({
  template: z.string(),
  lastFrame: z.nullable(z.string()),
  video: z.nullable(z.string()),
  frame: size,
  durationMs: z.number(),
  said: z.nullable(z.string()),
  words: z.array(z.object({ text: z.string(), begin: z.number(), end: z.number() })),
  meant: z.nullable(z.string()),
  slots: z.array(slot),
  references: z.array(z.object({ name: z.string(), points: z.array(pair), mask: z.nullable(mask) })),
})
export type Clip = z.infer<typeof clipEvent>

export const answerEvent = z.object({
  command: z.string(),
  points: z.array(
    z.object({
      point: z.nullable(pair),
      description: z.string(),
      time: z.nullable(z.union([z.number(), pair])),
    }),
  ),
  slots: z.array(
    z.object({
      name: z.string(),
      point: z.nullable(pair),
      spatial: z.nullable(z.boolean()),
      temporal: z.nullable(z.boolean()),
      moment: z.nullable(z.number()),
      errorMs: z.nullable(z.number()),
    }),
  ),
  intent: z.optional(z.nullable(z.number())),
  judge: z.optional(z.nullable(z.object({ score: z.nullable(z.number()) }))),
})
export type Answer = z.infer<typeof answerEvent>
