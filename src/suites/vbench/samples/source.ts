/** One sample per video: a prompt, and which of its videos. */
import { resolve } from 'node:path'
import { defineSource, type OpenedSource, UserError, z } from '../../../suite.ts'
import { type Category, type Dimension, DIMENSION_FACTS, listed } from '../domain/dimensions.ts'
import { safeName } from '../domain/names.ts'
import type { PlannedVideo, PromptFacts } from '../domain/prompts.ts'
import { videoSeed } from '../domain/seeds.ts'
import type { VbenchOptions } from '../options.ts'
import type { SisterName } from './sister-suites.ts'
import { planCustom, type Planned, planToScore } from './request.ts'

export interface VbenchSample {
  id: string
  /** The prompt: videos of one prompt are not independent. */
  cluster: string
  labels: {
    /** List of prompts, category, or `custom`. */
    list: string
    /** What is measured on it, with spaces between. */
    dimensions: string
  }
  prompt: string
  /** What the generator is given. */
  text: string
  index: number
  /** Of this video, drawn from the seed of the run. */
  seed: number
  dimensions: readonly Dimension[]
  categories: readonly Category[]
  facts: PromptFacts
}

/** The same for a planned video wherever it is met: the id needs neither the plan nor the file. */
export function sampleId({ prompt, index }: PlannedVideo): string {
  return safeName(prompt.prompt, index, '')
}

function sampleOf(video: PlannedVideo, promptSuite: string, seed: number): VbenchSample {
  const { prompt, text, dimensions, categories, facts } = video.prompt
  const [first] = dimensions
  const isListed = first !== undefined && promptSuite !== 'custom'
  const list = categories[0] ?? (facts.image ? 'i2v' : isListed ? DIMENSION_FACTS[first].list : 'custom')
  return {
    id: sampleId(video),
    cluster: prompt,
    labels: { list, dimensions: dimensions.join(' ') },
    prompt,
    text,
    index: video.index,
    seed: videoSeed(seed, prompt, video.index),
    dimensions,
    categories,
    facts,
  }
}

function opened({ plan, remarks }: Planned, seed: number): OpenedSource<VbenchSample> {
  return {
    fingerprint: plan.fingerprint,
    count: plan.videos.length,
    notes: remarks,
    *samples() {
      // The first video of every prompt before any second: a limit takes many prompts.
      const byIndex = plan.videos.toSorted((a, b) => a.index - b.index)
      for (const video of byIndex) yield sampleOf(video, plan.promptSuite, seed)
    },
  }
}

async function openPrompts(
  promptSuite: string,
  options: VbenchOptions,
  seed: number,
): Promise<OpenedSource<VbenchSample>> {
  const { dimension, category } = options
  const named = { dimension: listed(dimension), category: listed(category) }
  const planned = await planToScore({ ...options, ...named, promptSuite })
  if (planned.plan.videos.length === 0) throw new UserError(`${promptSuite} has no prompts of ${dimension}.`)
  return opened(planned, seed)
}

function sisterSource(name: SisterName, title: string) {
  return defineSource({
    title,
    usage: `${name}:PATH`,
    args: z.object({ path: z.string().describe('checkout of github.com/Vchitect/VBench') }),
    async open({ args, options, seed }: { args: { path: string }; options: VbenchOptions; seed: number }) {
      const source = await openPrompts(`${name}:${resolve(args.path)}`, options, seed)
      if (name !== 'i2v' || options.images !== undefined) return source
      return { ...source, notes: [...(source.notes ?? []), WITHOUT_IMAGES] }
    },
  })
}

const WITHOUT_IMAGES =
  'Without -T images, videos are generated from the text alone and are not compared with their images.'

export const sources = {
  builtin: defineSource({
    title: 'built-in prompts in the format of the public prompt suite',
    usage: 'builtin',
    args: z.object({}),
    open: ({ options, seed }: { options: VbenchOptions; seed: number }) => openPrompts('builtin', options, seed),
  }),
  vbench: defineSource({
    title: 'checkout of the public prompt suite, github.com/Vchitect/VBench',
    usage: 'vbench:PATH',
    dataset: {
      name: 'vbench',
      license: 'Apache-2.0',
      from: { github: 'Vchitect/VBench', commit: '45e79ec14e69a2187202c675d2dbce1a71843d53' },
      files: ['LICENSE', 'README.md', 'vbench/**', 'prompts/**'],
    },
    args: z.object({ path: z.string().describe('the checkout') }),
    open: ({ args, options, seed }: { args: { path: string }; options: VbenchOptions; seed: number }) =>
      openPrompts(resolve(args.path), options, seed),
  }),
  i2v: sisterSource('i2v', 'VBench-I2V, from image to video: prompts of a checkout; -T images names the images'),
  vbench2: sisterSource('vbench2', 'VBench-2.0: prompts of a checkout, judged by a model (--model-role judge)'),
  custom: defineSource({
    title: 'your own videos, with prompts from the file names or from -T promptFile',
    usage: 'custom:FOLDER',
    args: z.object({ path: z.string().describe('the folder of the videos') }),
    async open({ args, options, seed }: { args: { path: string }; options: VbenchOptions; seed: number }) {
      const { dimension, promptFile } = options
      const videos = resolve(args.path)
      return opened(await planCustom({ videos, promptFile, dimension: listed(dimension) }), seed)
    },
  }),
}
