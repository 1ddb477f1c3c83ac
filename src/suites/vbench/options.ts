import { z } from 'zod'
import { FLICKERING_SAMPLES, SAMPLES } from './domain/dimensions.ts'
import { TIERS } from './domain/results.ts'

const count = z.int().min(1).max(1000).optional()

/** What can be set with `-T`. Lists are written with commas. */
export const vbenchOptions = z.object({
  dimension: z.string().default('all').describe('dimensions, quality, semantic or all'),
  category: z.string().optional().describe('prompts of these content categories instead, or all'),
  samples: count.describe(`videos per prompt; ${SAMPLES} unless said otherwise`),
  flickeringSamples: count.describe(`videos per prompt of temporal flickering; ${FLICKERING_SAMPLES}, or as samples`),
  rewritten: z.string().optional().describe('sample with rewritten texts: gpt, hunyuan, wan, chinese, or a file'),
  models: z.string().optional().describe('folder of networks as ONNX files, described by models.json in it'),
  tier: z
    .string()
    .default(TIERS.join(','))
    .describe('which tiers may measure; none: measure nothing now, `sightline measure` can later'),
  staticFilter: z
    .enum(['auto', 'flow', 'raft', 'none'])
    .default('auto')
    .describe('filter of temporal flickering; auto: raft where given, else flow'),
  pictures: z.boolean().default(true).describe('draw contact sheets and flow pictures for the viewer'),
  promptFile: z.string().optional().describe('for videos of your own: {"file name": "prompt"}'),
})

export type VbenchOptions = z.output<typeof vbenchOptions>

/**
 * `published` adds up as the published evaluator does with one process, `several-processes` as it does with several:
 * then every video weighs the same, and of appearance style only the last frame counts.
 */
export const PROFILES = ['published', 'several-processes'] as const
export type VbenchProfile = (typeof PROFILES)[number]
