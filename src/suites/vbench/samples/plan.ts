/** Which videos are to be made: one for every prompt and index, shared by all dimensions that need it. */
import { groupBy, hashOf } from '../../../suite.ts'
import {
  type Category,
  CATEGORIES,
  type Dimension,
  DIMENSION_FACTS,
  ALL_DIMENSIONS,
  FLICKERING_SAMPLES,
  SAMPLES,
} from '../domain/dimensions.ts'
import { foldedName, nameProblem, officialName, safeName } from '../domain/names.ts'
import type { PlannedPrompt, PlannedVideo, PromptFacts, PromptSuite, VideoPlan } from '../domain/prompts.ts'

export interface PlanOptions {
  dimensions?: readonly Dimension[] | undefined
  categories?: readonly Category[]
  samples?: number | undefined
  flickeringSamples?: number | undefined
  texts?: ReadonlyMap<string, string> | undefined
  /** What is measured on prompts of categories: they have no dimensions of their own. */
  categoryDimensions?: readonly Dimension[]
  /** Names for file systems that ignore case: of prompts that differ in nothing else, all but the first get a safe one. */
  ignoreCase?: boolean
}

/**
 * Dimensions and categories add up; nothing named means all dimensions.
 *
 * @example
 * planOf(await openPromptSuite('builtin'), { dimensions: ['scene'] }).videos.length
 */
export function planOf(promptSuite: PromptSuite, options: PlanOptions = {}): VideoPlan {
  const categories = options.categories ?? []
  const dimensions = options.dimensions ?? (categories.length > 0 ? [] : promptSuite.dimensions)
  const { samples = promptSuite.samples ?? SAMPLES, flickeringSamples = FLICKERING_SAMPLES } = options
  const entries = promptSuite.entries.filter((entry) => entry.dimensions.some((name) => dimensions.includes(name)))
  const samplesOf = (served: readonly Dimension[]) =>
    served.includes('temporal_flickering') ? Math.max(samples, flickeringSamples) : samples
  const prompts = new Map<string, PlannedPrompt>()
  const add = (prompt: string, more: Pick<PlannedPrompt, 'dimensions' | 'categories' | 'facts'>): void => {
    const before = prompts.get(prompt)
    const merged = ALL_DIMENSIONS.filter((name) => [before, more].some((each) => each?.dimensions.includes(name)))
    prompts.set(prompt, {
      prompt,
      text: options.texts?.get(prompt) ?? prompt,
      dimensions: merged,
      categories: CATEGORIES.filter((name) => [before, more].some((each) => each?.categories.includes(name))),
      facts: mergedFacts(before?.facts, more.facts),
      samples: more.categories.length === 0 ? samplesOf(merged) : (before?.samples ?? samples),
    })
  }
  for (const { prompt, dimensions: served, facts } of entries) {
    add(prompt, { dimensions: served.filter((name) => dimensions.includes(name)), categories: [], facts })
  }
  for (const category of categories) {
    for (const prompt of promptSuite.categories[category]) {
      add(prompt, { dimensions: options.categoryDimensions ?? [], categories: [category], facts: {} })
    }
  }
  const list = [...prompts.values()]
  return {
    promptSuite: promptSuite.name,
    fingerprint: hashOf([promptSuite.fingerprint, list]),
    entries,
    prompts: list,
    videos: videosOf(list, options.ignoreCase === true, promptSuite.nameLength),
    collisions: [...groupBy(prompts.keys(), foldedName).values()].filter((group) => group.length > 1),
  }
}

function mergedFacts(before: PromptFacts | undefined, more: PromptFacts): PromptFacts {
  const asked = { ...before?.asked, ...more.asked }
  return { ...before, ...more, ...(Object.keys(asked).length > 0 && { asked }) }
}

function videosOf(prompts: readonly PlannedPrompt[], ignoreCase: boolean, nameLength = Infinity): PlannedVideo[] {
  const taken = new Set<string>()
  return prompts.flatMap((prompt) => {
    const name = Array.from(prompt.prompt).slice(0, nameLength).join('')
    const folded = foldedName(name)
    const isTaken = taken.has(folded) && (ignoreCase || nameLength < Infinity)
    const safe = nameProblem(name) !== null || isTaken
    taken.add(folded)
    return Array.from({ length: prompt.samples }, (_, index) => ({
      prompt,
      index,
      file: safe ? safeName(prompt.prompt, index) : officialName(name, index),
    }))
  })
}

export interface PlanCounts {
  dimension: Dimension
  list: string
  prompts: number
  videos: number
}

/** The protocol's table: prompts and videos of each dimension. Videos are shared, so the columns do not add up. */
export function planTable(plan: VideoPlan): PlanCounts[] {
  return ALL_DIMENSIONS.map((dimension) => {
    const rows = plan.prompts.filter((prompt) => prompt.dimensions.includes(dimension))
    return {
      dimension,
      list: rows[0]?.facts.image === undefined ? DIMENSION_FACTS[dimension].list : 'i2v',
      prompts: rows.length,
      videos: rows.reduce((sum, { samples }) => sum + samples, 0),
    }
  }).filter(({ prompts }) => prompts > 0)
}
