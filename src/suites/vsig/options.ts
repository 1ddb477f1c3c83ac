import { z } from '../../suite.ts'
import { CONVENTIONS, FAMILIES } from './domain/coords.ts'

type Family = keyof typeof FAMILIES
const FAMILY_NAMES = Object.keys(FAMILIES) as [Family, ...Family[]]

/** What can be set with `-T`. */
export const vsigOptions = z
  .object({
    input: z.enum(['frames', 'video']).default('frames').describe('frames with their times, or the clip as a whole'),
    frames: z.int().min(1).max(128).default(15).describe('frames that are shown, first and last included'),
    side: z.int().min(64).max(4096).default(1280).describe('longest side of a frame as shown, in pixels'),
    speech: z
      .enum(['text', 'audio', 'none'])
      .default('text')
      .describe("what was said: in words, as the video's sound, or not at all"),
    timings: z.boolean().default(false).describe('give the time of every word too, as the first published code did'),
    coords: z
      .enum(CONVENTIONS)
      .optional()
      .describe('how points are asked for and read; xy1000 unless the family says otherwise'),
    family: z.enum(FAMILY_NAMES).optional().describe('model family whose way of writing points is taken'),
    language: z
      .enum(['clip', 'zh', 'en'])
      .default('clip')
      .describe("language of the prompt; the clip's own by default"),
    hint: z
      .enum(['template', 'none'])
      .default('template')
      .describe('say how many things are to be found, as the published prompts do, or nothing'),
    invalid: z.boolean().default(false).describe('play clips that the annotators rejected too'),
    defects: z
      .enum(['stop', 'leave-out', 'list'])
      .default('stop')
      .describe(
        'clips with errors in their data: list them and stop, leave them out and go on; or list all, warnings too, and stop',
      ),
    tolerance: z.number().min(0).max(10_000).default(0).describe('milliseconds a moment may lie outside of its window'),
    maxTokens: z.int().min(64).max(100_000).default(4000).describe('longest reply'),
  })
  .refine(({ input, speech }) => input === 'video' || speech !== 'audio', {
    path: ['speech'],
    error: 'frames carry no sound: speech=audio needs input=video',
  })
  .transform(({ coords, family, ...rest }) => ({
    ...rest,
    coords: coords ?? (family === undefined ? ('xy1000' as const) : FAMILIES[family]),
  }))

export type VsigOptions = z.output<typeof vsigOptions>
