/** What the commands have in common: which prompts, which videos. */
import { UserError } from '../../../base/errors.ts'
import {
  matchFolder,
  planCustom,
  planFor,
  type Planned,
  type PlanRequest,
  planToScore,
} from '../../../suites/vbench/setup.ts'
import type { PlanOptions } from '../../../suites/vbench/suite/plan.ts'
import type { Matched } from '../../../suites/vbench/videos/match.ts'
import { dim, plain, say } from '../../terminal/output.ts'

export interface SuiteOptions {
  suite: string
  dimension?: string[]
  category?: string[]
  samples?: number
  flickeringSamples?: number
  json?: boolean
}

export async function planFrom(
  options: SuiteOptions & { rewritten?: string },
  more: Partial<PlanOptions> = {},
): Promise<Planned> {
  return remarked(options, await planFor(checked(options), more))
}

function checked<T extends SuiteOptions>(options: T): T & PlanRequest {
  wholeNumber('--samples', options.samples)
  wholeNumber('--flickering-samples', options.flickeringSamples)
  return options
}

function remarked<T extends Planned>({ suite }: SuiteOptions, planned: T): T {
  for (const remark of planned.remarks) say(dim(plain(`${suite}: ${remark}`)))
  return planned
}

export interface VideoOptions extends SuiteOptions {
  videos: string
  custom?: boolean
  promptFile?: string
}

/** Videos of one's own, or those of a suite. */
export async function matchedFrom(options: VideoOptions): Promise<Planned & { matched: Matched }> {
  if (options.custom === true || options.promptFile !== undefined) return planCustom(options)
  const planned = remarked(options, await planToScore(checked(options)))
  return { ...planned, matched: await matchFolder(planned.plan, options.videos) }
}

/** Numbers come from the command line as they were typed. */
export function wholeNumber(name: string, value: number | undefined, least = 1): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return
  throw new UserError(`${name} must be a whole number from ${least} on.`)
}

export function seconds(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isFinite(value) && value > 0)) return
  throw new UserError(`${name} must be a number of seconds above 0.`)
}
