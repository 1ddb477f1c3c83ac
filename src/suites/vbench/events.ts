/** What a run records of a video, as the suite writes it and the viewer reads it. docs/suites/vbench says what it means. */
import { z } from 'zod'

const media = z.object({
  sha256: z.string(),
  type: z.string(),
  bytes: z.number().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
})

const clip = z.object({
  width: z.number(),
  height: z.number(),
  frames: z.number(),
  fps: z.number(),
  seconds: z.number(),
  decoder: z.string(),
})
/** What kind of clip a video is, and what opens it. */
export type ClipFacts = z.infer<typeof clip>

const shownSample = z.object({ prompt: z.string(), text: z.string(), index: z.number() })
/** The parts of a sample that are shown with its video. */
export const sampleEvent = z.object({ sample: shownSample.extend({ dimensions: z.array(z.string()) }) })

export const videoOutcome = z.object({
  media: media.nullable(),
  seed: z.number().nullable(),
  clip: clip.nullable(),
  file: z.string().optional(),
})
export const outcomeEvent = z.object({ outcome: videoOutcome })

/** What an instrument measured, with how it came about; null with the reason. */
export const measuredValue = z.object({
  value: z.number().nullable(),
  tier: z.enum(['exact', 'variant', 'proxy']).nullable(),
  by: z.string().nullable(),
  reason: z.string().optional(),
  note: z.string().optional(),
})
export type MeasuredValue = z.infer<typeof measuredValue>
export const measurementEvent = z.object({ instrument: z.string(), value: z.unknown() })

/** What the instrument `pictures` drew: a row of frames, and a row of the motion that led to each. */
export const drawnPictures = z.object({ frames: media, flow: media })

/** Runs from before there was a measure stage have all of it in one event. */
export const videoEvent = z.object({
  ...shownSample.shape,
  ...videoOutcome.shape,
  frames: media.nullable(),
  flow: media.nullable(),
  dimensions: z.record(z.string(), measuredValue),
  still: measuredValue.nullable(),
})
export type VideoEvent = z.infer<typeof videoEvent>
