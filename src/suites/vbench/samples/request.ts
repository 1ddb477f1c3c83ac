/** From what a user asks for to a plan: the one place that decides which prompts, how many videos, which dimensions. */
import { UserError } from '../../../suite.ts'
import { VIDEO_ENDINGS } from '../domain/clip.ts'
import { categoriesNamed, type Dimension, dimensionsNamed, NEEDS_FACTS } from '../domain/dimensions.ts'
import { openPromptSuite } from './checkout.ts'
import type { VideoPlan } from '../domain/prompts.ts'
import { planOf, type PlanOptions } from './plan.ts'
import { rewrittenTexts } from './rewritten.ts'
import { listFolder } from './check.ts'
import { customPlan, readPromptFile } from './custom.ts'
import { readManifest } from './manifest.ts'
import { type Matched, matchVideos } from './match.ts'

export interface PlanRequest {
  /** `builtin`, a checkout of the public suite, or a file like its VBench_full_info.json. */
  promptSuite: string
  /** Names as typed; none for all. */
  dimension?: readonly string[] | undefined
  category?: readonly string[] | undefined
  samples?: number | undefined
  flickeringSamples?: number | undefined
  rewritten?: string | undefined
}

export interface Planned {
  plan: VideoPlan
  /** What is to be measured. */
  dimensions: readonly Dimension[]
  /** For people: what is not as published. */
  remarks: readonly string[]
}

/** The plan of a suite. Dimensions and categories add up, as where videos are to be made. */
export async function planFor(request: PlanRequest, more: Partial<PlanOptions> = {}): Promise<Planned> {
  const promptSuite = await openPromptSuite(request.promptSuite)
  const { dimension = [], category = [], samples, rewritten } = request
  const dimensions = dimensionsNamed(dimension, promptSuite.dimensions)
  const plan = planOf(promptSuite, {
    dimensions: dimension.length > 0 ? dimensions : undefined,
    categories: categoriesNamed(category),
    texts: rewritten ? await rewrittenTexts(promptSuite, rewritten) : undefined,
    samples,
    flickeringSamples: request.flickeringSamples ?? samples,
    ...more,
  })
  return { plan, dimensions, remarks: promptSuite.remarks }
}

/** The plan of what is scored: prompts of categories have no dimensions of their own, so those named are measured. */
export async function planToScore(request: PlanRequest): Promise<Planned> {
  if (!request.category || request.category.length === 0) return planFor(request)
  const dimensions = measurable(request.dimension ?? [])
  const planned = await planFor(request, { dimensions: [], categoryDimensions: dimensions })
  return { ...planned, dimensions }
}

export interface CustomRequest {
  videos: string
  dimension?: readonly string[] | undefined
  promptFile?: string | undefined
}

/** Videos of one's own: the folder itself is the plan. */
export async function planCustom(request: CustomRequest): Promise<Planned & { matched: Matched }> {
  const dimensions = measurable(request.dimension ?? [])
  const prompts = request.promptFile === undefined ? null : await readPromptFile(request.promptFile)
  const found = customPlan(await listFolder(request.videos), dimensions, prompts)
  if (found.plan.videos.length === 0) {
    const those = prompts === null ? '' : ` with a prompt in ${request.promptFile}`
    throw new UserError(`${request.videos} has no videos${those}.`, {
      hint: `Videos end in ${VIDEO_ENDINGS.join(', ')}.`,
    })
  }
  return { ...found, dimensions, remarks: [] }
}

/** Dimensions that need no more than a prompt; who names another is told. */
function measurable(names: readonly string[]): Dimension[] {
  const wanted = dimensionsNamed(names)
  const left = wanted.filter((name) => NEEDS_FACTS.includes(name))
  // `all`, `quality` and `semantic` mean what can be measured.
  const isNamed = (name: Dimension) => names.some((each) => each.split(',').some((one) => one.trim() === name))
  if (left.some(isNamed)) {
    throw new UserError(
      `${left.join(', ')}: only for prompts of its own list; more than a prompt must be known of them.`,
    )
  }
  return wanted.filter((name) => !NEEDS_FACTS.includes(name))
}

/** Which files of a folder are the videos of a plan. */
export async function matchFolder(plan: VideoPlan, folder: string): Promise<Matched> {
  return matchVideos(plan, await listFolder(folder), await readManifest(folder))
}
