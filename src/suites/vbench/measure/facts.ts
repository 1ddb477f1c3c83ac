/** What kind of clip a video is, as it was decoded. */
import { z } from 'zod'
import { LONG_SECONDS } from '../domain/dimensions.ts'
import { type Measure, nothing, type VideoResult } from './types.ts'

const clipFacts = z.object({
  width: z.number(),
  height: z.number(),
  frames: z.number(),
  fps: z.number(),
  seconds: z.number(),
  decoder: z.string(),
})
export type ClipFacts = z.infer<typeof clipFacts>

export function clipMeasure(): Measure {
  return {
    title: 'clip',
    tier: 'exact',
    outputs: ['clip'],
    version: 'clip-1',
    usesPrompt: false,
    needsNoFrames: true,
    start: ({ info, decoder }) => ({
      frame: () => {},
      end: () => ({ clip: { ...nothing('facts have no value'), detail: { ...info, decoder } } }),
    }),
  }
}

export function factsOf(result: VideoResult | undefined): ClipFacts | null {
  return clipFacts.safeParse(result?.detail).data ?? null
}

/** Does the protocol have another pipeline for it? */
export function isLong(facts: ClipFacts | null): boolean {
  return facts !== null && facts.seconds >= LONG_SECONDS
}
