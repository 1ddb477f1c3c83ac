/** Options shared by the vbench commands: prompts and videos. */
import { resolve } from 'node:path'
import { UserError } from '../../../base/errors.ts'
import {
  matchFolder,
  planCustom,
  planFor,
  type Planned,
  type PlanRequest,
  planToScore,
} from '../../../suites/vbench/samples/request.ts'
import { sisterOf, withPath } from '../../../suites/vbench/samples/sister-suites.ts'
import type { PlanOptions } from '../../../suites/vbench/samples/plan.ts'
import type { Matched } from '../../../suites/vbench/samples/match.ts'
import { dim, say } from '../../terminal/output.ts'
import { printableLines } from '../../../base/printable.ts'

export interface PromptOptions {
  prompts: string
  dimension?: string[]
  category?: string[]
  images?: string
  samples?: number
  flickeringSamples?: number
  json?: boolean
}

export async function planFrom(
  options: PromptOptions & { rewritten?: string },
  more: Partial<PlanOptions> = {},
): Promise<Planned> {
  return printRemarks(options, await planFor(checked(options), more))
}

function checked<T extends PromptOptions>({ prompts: promptSuite, ...options }: T): Omit<T, 'prompts'> & PlanRequest {
  wholeNumber('--samples', options.samples)
  wholeNumber('--flickering-samples', options.flickeringSamples)
  return { ...options, promptSuite }
}

/** The source of a run for these prompts. */
export function sourceOf(prompts: string): string {
  if (prompts === 'builtin') return prompts
  return sisterOf(prompts) === null ? `vbench:${resolve(prompts)}` : withPath(prompts, resolve)
}

/** The options of a run. */
export function taskOf(
  { dimension, category, images, samples, flickeringSamples, rewritten }: PromptOptions & { rewritten?: string },
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const folder = images === undefined ? images : resolve(images)
  const task = {
    dimension: dimension?.join(','),
    category: category?.join(','),
    images: folder,
    samples,
    flickeringSamples,
    rewritten,
  }
  return Object.fromEntries(Object.entries({ ...task, ...more }).filter(([, value]) => value !== undefined))
}

function printRemarks<T extends Planned>({ prompts }: PromptOptions, planned: T): T {
  for (const remark of planned.remarks) say(dim(printableLines(`${prompts}: ${remark}`)))
  return planned
}

export interface VideoOptions extends PromptOptions {
  videos: string
  custom?: boolean
  promptFile?: string
  /** Videos for VBench-Long. */
  long?: boolean
}

/** The plan and the matching videos, for custom videos or for the prompt suite. */
export async function matchedFrom(options: VideoOptions): Promise<Planned & { matched: Matched }> {
  if (options.custom === true || options.promptFile !== undefined) return planCustom(options)
  const planned = printRemarks(options, await planToScore(checked(options)))
  return { ...planned, matched: await matchFolder(planned.plan, options.videos) }
}

function wholeNumber(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) return
  throw new UserError(`${name} must be a positive whole number.`)
}
