import { z } from 'zod'

const common = {
  size: z.enum(['320x240', '480x360', '640x480']).default('640x480').describe('image size in pixels'),
  names: z
    .enum(['plain', 'neutral'])
    .default('plain')
    .describe('names of built-in objects and their parts: plain (door), or neutral (part2), which say nothing'),
  video: z.boolean().default(false).describe('also record each motion as an mp4, for human viewers'),
}

const threshold = (description: string) => z.number().min(0).max(10).optional().describe(description)

const loop = {
  ...common,
  iterations: z.int().min(1).max(20).default(10).describe('maximum answers per sample, as of the published verifiers'),
  feedback: z
    .enum(['auto', 'none', 'critic', 'self', 'plausible', 'heuristic', 'geometric'])
    .default('auto')
    .describe(
      'feedback between answers: auto (critic if one is given), none, critic, self (the player), plausible (geometry alone), heuristic (the published scorer of URDF text), geometric (ground truth)',
    ),
  verifier: z
    .enum(['auto', 'threshold', 'adaptive'])
    .default('auto')
    .describe('rule that ends the loop; auto: threshold, or the published rules with profile `upstream`'),
  overallThreshold: threshold('verifiers: overall score that is enough; default: 7.5'),
  positionThreshold: threshold('verifiers: position score that is enough together with the joint score; default: 7'),
  jointThreshold: threshold('verifiers: joint score that is enough together with the position score; default: 8'),
  patience: z.int().min(1).max(20).optional().describe('verifiers: answers without improvement; default: 3'),
  decay: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .describe('adaptive verifier: what the overall threshold is multiplied by; default: 0.95'),
  floor: threshold('adaptive verifier: lowest overall threshold; default: 5, published 0.5'),
  interval: z.int().min(1).max(20).optional().describe('adaptive verifier: answers between two reductions; default: 3'),
  language: z
    .enum(['fixed', 'upstream'])
    .default('fixed')
    .describe('semantics of programs: corrected, or as published'),
  frames: z.int().min(2).max(24).default(6).describe('frames per motion, both ends included'),
  pictures: z
    .int()
    .min(4)
    .max(600)
    .default(60)
    .describe('maximum images in a prompt of build; motions of many parts get fewer frames, then share images'),
  traces: z.boolean().default(false).describe('draw the traces of points on moving parts (the CoTracker variant)'),
  places: z
    .enum(['auto', 'usual', 'drawn'])
    .default('auto')
    .describe(
      'where built-in objects have their parts: auto (drawn in place and build, usual in joint, which tells them), usual, or drawn, which only pictures show',
    ),
  physics: z
    .boolean()
    .default(false)
    .describe('also drive every joint of the final answer in a physics engine, with collisions (joint, build)'),
  films: z
    .string()
    .min(1)
    .optional()
    .describe('folder with videos of the true motions, OBJECT-PART.mp4, shown instead of rendered frames'),
}

/** Options (`-T`) of articulate/place, joint and build. */
export const loopOptions = z.object(loop).superRefine((options, context) => {
  for (const name of ['decay', 'floor', 'interval'] as const)
    if (options[name] !== undefined && options.verifier !== 'adaptive')
      context.addIssue({ code: 'custom', path: [name], message: 'is for verifier=adaptive' })
})
export type LoopOptions = z.output<typeof loopOptions>

/** Options (`-T`) of articulate/critic. */
export const criticOptions = z.object({
  ...common,
  frames: loop.frames,
  traces: loop.traces,
  films: loop.films,
  sees: z
    .enum(['both', 'pictures', 'code'])
    .default('both')
    .describe('what the critic is given: images and the candidate function, or one of them (an ablation)'),
  critics: z
    .enum(['both', 'joint', 'link', 'urdf'])
    .default('both')
    .describe(
      'which critics to evaluate: both (joint and link), one of them, or the URDF critic, which sees no original',
    ),
  order: z
    .enum(['truth-first', 'prediction-first'])
    .optional()
    .describe('which images come first: those of the ground truth (default), or of the prediction (an ablation)'),
})
export type CriticOptions = z.output<typeof criticOptions>
