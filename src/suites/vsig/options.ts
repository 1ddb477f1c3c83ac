import { z } from '../../suite.ts'
import { CONVENTIONS, FAMILIES } from './domain/coords.ts'
import { DEFAULT_FRAMES } from './domain/frames.ts'
import { LEVEL_NAMES } from './samples/clips/levels.ts'

type Family = keyof typeof FAMILIES
/** Room for some reasoning and for the longest answer: objects, places and moments of a clip in JSON. */
const MAX_TOKENS = 4000

const FAMILY_NAMES = Object.keys(FAMILIES) as [Family, ...Family[]]

/** Task options, set with `-T`. */
export const vsigOptions = z
  .object({
    input: z.enum(['frames', 'video']).default('frames').describe('sampled frames with their times, or the whole clip'),
    frames: z
      .int()
      .min(1)
      .max(128)
      .default(DEFAULT_FRAMES)
      .describe('number of frames shown, including first and last'),
    fps: z
      .number()
      .gt(0)
      .max(30)
      .optional()
      .describe('frames per second to show instead of a number of frames; the last published generation shows 2'),
    frameTimes: z
      .boolean()
      .default(true)
      .describe('tell the time of every frame; false is an ablation of the last published generation'),
    side: z.int().min(64).max(4096).default(1280).describe('maximum side length of a shown frame, in pixels'),
    speech: z
      .enum(['text', 'asr', 'audio', 'none'])
      .default('text')
      .describe(
        'speech as a transcript (where there is none, by the transcriber if the run has one), asr (always by the transcriber), as the sound of the video, or none',
      ),
    timings: z
      .boolean()
      .default(false)
      .describe('include the time of every word, as the prompts of the first published generation always do'),
    coords: z
      .enum(CONVENTIONS)
      .optional()
      .describe('coordinate convention of points; default: that of family, or xy1000'),
    family: z.enum(FAMILY_NAMES).optional().describe('model family, which sets the coordinate convention'),
    language: z.enum(['clip', 'zh', 'en']).default('clip').describe('prompt language; clip: the language of the clip'),
    hint: z
      .enum(['template', 'none'])
      .default('template')
      .describe('template: tell the model how many objects and places to find, as published; none: do not'),
    level: z
      .enum([...LEVEL_NAMES, 'mixed'])
      .default('medium')
      .describe('difficulty of built-in clips: objects, look-alikes, distance of the hand, idle gestures; mixed: all'),
    unanswerable: z
      .enum(['leave-out', 'ask'])
      .default('leave-out')
      .describe('built-in clips that the frames shown do not answer: leave-out (a row counts them) or ask'),
    invalid: z.boolean().default(false).describe('include clips that the annotators rejected'),
    defects: z
      .enum(['stop', 'leave-out', 'list'])
      .default('stop')
      .describe(
        'clips with data errors: stop, leave-out (skip them), or list (print all errors and warnings, then stop)',
      ),
    tolerance: z.number().min(0).max(10_000).default(0).describe('milliseconds a moment may lie outside its window'),
    maxTokens: z.int().min(64).max(100_000).default(MAX_TOKENS).describe('maximum tokens per reply'),
  })
  .refine(({ input, speech }) => input === 'video' || speech !== 'audio', {
    path: ['speech'],
    error: 'frames have no sound: speech=audio requires input=video',
  })
  .transform(({ coords, family, ...rest }) => ({
    ...rest,
    coords: coords ?? (family === undefined ? ('xy1000' as const) : FAMILIES[family]),
  }))

export type VsigOptions = z.output<typeof vsigOptions>
