/** One case a video: a prompt, and which of its videos. */
import { resolve } from 'node:path'
import { UserError } from '../../../base/errors.ts'
import type { OpenedSource, SourceKind, SourceSpec } from '../../../engine/suite.ts'
import { type Category, type Dimension, DIMENSION_FACTS } from '../domain/dimensions.ts'
import type { VbenchOptions } from '../options.ts'
import { videoSeed } from '../../../cli/commands/vbench/video-folder.ts'
import { planCustom, type Planned, planToScore } from './request.ts'
import type { PlannedPrompt, PlannedVideo } from './plan.ts'
import type { PromptFacts } from '../domain/prompts.ts'
import { safeName } from '../domain/names.ts'

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
export function caseId(prompt: string, index: number): string {
  return safeName(prompt, index, '')
}

/** @param suite of the plan; videos of one's own are on no list */
export function labelsOf(
  { dimensions, categories }: Pick<PlannedPrompt, 'dimensions' | 'categories'>,
  suite: string,
): VbenchSample['labels'] {
  const [first] = dimensions
  const list = categories[0] ?? (first === undefined || suite === 'custom' ? 'custom' : DIMENSION_FACTS[first].list)
  return { list, dimensions: dimensions.join(' ') }
}

export function caseOf({ prompt: planned, index }: PlannedVideo, suite: string, seed: number): VbenchSample {
  const { prompt, text, dimensions, categories, facts } = planned
  return {
    id: caseId(prompt, index),
    cluster: prompt,
    labels: labelsOf(planned, suite),
    prompt,
    text,
    index,
    seed: videoSeed(seed, prompt, index),
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
    *cases() {
      for (const video of plan.videos) yield caseOf(video, plan.suite, seed)
    },
  }
}

/** `a, b` as it stands in an option. */
export function listed(text: string | undefined): string[] {
  const names = (text ?? '').split(',').map((name) => name.trim())
  return names.filter((name) => name !== '')
}

async function openPrompts(where: string, options: VbenchOptions, seed: number): Promise<OpenedSource<VbenchSample>> {
  const { dimension, category, samples, flickeringSamples, rewritten } = options
  const named = listed(dimension)
  const request = { suite: where, category: listed(category), samples, flickeringSamples, rewritten }
  const planned = await planToScore({ ...request, dimension: named.includes('all') ? [] : named })
  if (planned.plan.videos.length === 0) throw new UserError(`${where} has no prompts of ${dimension}.`)
  return opened(planned, seed)
}

function pathOf({ name, path }: SourceSpec, what: string): string {
  if (path !== null && path !== '') return resolve(path)
  throw new UserError(`--source ${name} needs a path: ${name}:${what}.`)
}

export const sources: Readonly<Record<string, SourceKind<VbenchOptions, VbenchSample>>> = {
  builtin: {
    title: 'prompts of our own in the form of the public suite',
    usage: 'builtin',
    open: (_, options, { seed }) => openPrompts('builtin', options, seed),
  },
  vbench: {
    title: 'a checkout of the public prompt suite, github.com/Vchitect/VBench',
    usage: 'vbench:PATH',
    open: (spec, options, { seed }) => openPrompts(pathOf(spec, 'CHECKOUT'), options, seed),
  },
  custom: {
    title: 'prompts of videos of your own, from the names of the files or from -T promptFile',
    usage: 'custom:FOLDER',
    async open(spec, { dimension, promptFile }, { seed }) {
      const named = listed(dimension)
      const videos = pathOf(spec, 'FOLDER')
      return opened(await planCustom({ videos, promptFile, dimension: named.includes('all') ? [] : named }), seed)
    },
  },
}
