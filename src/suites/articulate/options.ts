import { z } from 'zod'

const common = {
  size: z.enum(['320x240', '480x360', '640x480']).default('640x480').describe('pixels of every picture'),
  video: z.boolean().default(false).describe('keep motions as mp4 beside the pictures, for people'),
}

const loop = {
  ...common,
  iterations: z.int().min(1).max(20).default(3).describe('answers before the loop ends'),
  feedback: z
    .enum(['auto', 'none', 'critic', 'self', 'plausible', 'geometric'])
    .default('auto')
    .describe(
      'who criticises: the critic if one is given (auto), nobody, the critic, the player itself, plain geometry, the truth',
    ),
  verifier: z
    .enum(['auto', 'threshold', 'adaptive'])
    .default('auto')
    .describe('which verifier ends the loop; auto: threshold, under `upstream` the rules that the published code runs'),
  language: z
    .enum(['fixed', 'upstream'])
    .default('fixed')
    .describe('what programs mean: the repaired language, or the published one with its faults'),
  frames: z.int().min(2).max(24).default(6).describe('pictures of a motion, both ends included'),
  traces: z.boolean().default(false).describe('draw the ways of points on moving parts (the CoTracker addition)'),
  films: z
    .string()
    .min(1)
    .optional()
    .describe('folder with films of true motions, OBJECT-PART.mp4, shown in place of drawn ones'),
}

/** What can be set with `-T` for articulate/place, /joint and /build. */
export const loopOptions = z.object(loop)
export type LoopOptions = z.output<typeof loopOptions>

/** The same for articulate/critic. */
export const criticOptions = z.object({
  ...common,
  frames: loop.frames,
  traces: loop.traces,
  films: loop.films,
  critics: z.enum(['both', 'joint', 'link']).default('both').describe('which critic is graded'),
})
export type CriticOptions = z.output<typeof criticOptions>
