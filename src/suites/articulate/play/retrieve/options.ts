import { z } from 'zod'
import { criticOptions, loopOptions } from '../../options.ts'
import { INPUTS } from './sample.ts'

const { size, names } = criticOptions.shape
const { frames, traces, iterations, feedback } = loopOptions.shape

/** Options (`-T`) of articulate/retrieve. */
export const retrieveOptions = z.object({
  size,
  names,
  frames: frames.default(5).describe('frames of a video, both ends included; published: 5'),
  traces,
  input: z
    .enum([...INPUTS, 'all'])
    .default('all')
    .describe('what is given: an image, a video of a motion, words, or all'),
  stages: z
    .enum(['retrieve', 'affordance', 'make'])
    .default('affordance')
    .describe(
      'how far the pipeline goes: retrieve (meshes), affordance (also the part that moves in the video), make (also placement and joints)',
    ),
  object: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe("what the object is, instead of the detector's answer; published: additional_prompt"),
  candidates: z.int().min(1).max(50).default(4).describe('objects per category in the pool'),
  holdout: z
    .boolean()
    .default(false)
    .describe('leave the object itself out of the pool: the most similar other one is right'),
  batch: z.int().min(2).max(40).default(10).describe('candidate images per request; winners meet again; published: 10'),
  iterations: iterations.default(1),
  feedback: feedback.default('none'),
})
export type RetrieveOptions = z.output<typeof retrieveOptions>
