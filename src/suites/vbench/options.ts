import { z } from 'zod'
import { DEVICES } from './domain/devices.ts'
import { FLICKERING_SAMPLES, SAMPLES } from './domain/dimensions.ts'
import { TIERS } from './domain/results.ts'

const count = z.int().min(1).max(1000).optional()

/** Options (`-T`). Lists are comma-separated. */
export const vbenchOptions = z
  .object({
    dimension: z.string().default('all').describe('dimensions, or quality, semantic, all'),
    category: z.string().optional().describe('use the prompts of these content categories instead, or all'),
    samples: count.describe(`videos per prompt; ${SAMPLES} by default`),
    flickeringSamples: count.describe(
      `videos per prompt for temporal flickering; ${FLICKERING_SAMPLES} by default, or \`samples\``,
    ),
    rewritten: z.string().optional().describe('generate from rewritten prompts: gpt, hunyuan, wan, chinese, or a file'),
    models: z.string().optional().describe('folder with ONNX networks, described by its models.json'),
    device: z.enum(DEVICES).default('cpu').describe('what runs the networks; what it cannot do is done by the CPU'),
    tier: z
      .string()
      .default(TIERS.join(','))
      .describe('tiers to measure; none: measure later with `sightline measure`'),
    staticFilter: z
      .enum(['auto', 'flow', 'raft', 'none'])
      .default('auto')
      .describe('static-video filter for temporal flickering; auto: raft if available, else flow'),
    long: z
      .boolean()
      .default(false)
      .describe('measure as VBench-Long, in clips of 2 or 10 seconds: for videos of 5 seconds and longer'),
    sceneCuts: z.boolean().default(false).describe('with `long`: no clip goes across a change of scene'),
    pictures: z.boolean().default(true).describe('record contact sheets and flow images for the viewer'),
    images: z.string().optional().describe('for VBench-I2V: folder of the images that videos are made from'),
    promptFile: z.string().optional().describe('for your own videos: JSON file {"file name": "prompt"}'),
  })
  .refine(({ long, sceneCuts }) => long || !sceneCuts, { path: ['sceneCuts'], error: 'needs long=true' })

export type VbenchOptions = z.output<typeof vbenchOptions>

/**
 * `published` adds up as the published evaluator does with one process, `several-processes` as it does with several:
 * then every video weighs the same, and of appearance style only the last frame counts.
 */
export const PROFILES = ['published', 'several-processes'] as const
export type VbenchProfile = (typeof PROFILES)[number]
