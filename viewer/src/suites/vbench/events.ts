/** What VBench records of a video. docs/suites/vbench says what each field means. */
import { z } from '../../episode/read.ts'

const media = z.object({
  sha256: z.string(),
  type: z.string(),
  width: z.optional(z.number()),
  height: z.optional(z.number()),
})

const measured = z.object({
  value: z.nullable(z.number()),
  tier: z.nullable(z.string()),
  by: z.nullable(z.string()),
  reason: z.optional(z.string()),
})
export type Measured = z.infer<typeof measured>

export const videoEvent = z.object({
  prompt: z.string(),
  text: z.string(),
  index: z.number(),
  seed: z.nullable(z.number()),
  media: z.nullable(media),
  clip: z.nullable(
    z.object({
      width: z.number(),
      height: z.number(),
      frames: z.number(),
      fps: z.number(),
      seconds: z.number(),
    }),
  ),
  frames: z.nullable(media),
  flow: z.nullable(media),
  dimensions: z.record(z.string(), measured),
  still: z.nullable(measured),
})
export type Video = z.infer<typeof videoEvent>
