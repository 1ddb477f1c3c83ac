/** Checks a suite and its data from a program; the command line uses it too. */
import { type CheckedSamples, checkSamples } from '../engine/check.ts'
import { estimateRun } from '../engine/estimate.ts'
import { planRun } from '../engine/plan.ts'
import { type Estimate, loadPrices } from '../models/prices.ts'
import { finderOf, type RunOptions, type StoreOptions } from './run.ts'

export interface CheckOptions
  extends Pick<StoreOptions, 'suites'>, Pick<RunOptions, 'options' | 'source' | 'profile' | 'limit'> {
  /** Whose prices the estimate uses. */
  model?: string | undefined
  /** Called with the number of samples that are checked. */
  onProgress?: ((done: number, planned: number) => void) | undefined
}

export interface Checked extends CheckedSamples {
  suite: string
  title: string
  profile: string
  profiles: readonly string[]
  /** What a run of these samples would take. */
  estimate: Estimate
  notes: readonly string[]
}

/**
 * Plays every sample of a suite without a model: its files are read, its request is made, and the right reply must be read
 * and scored as right.
 *
 * @example
 * const { problems } = await check('./my-bench.yaml')
 */
export async function check(from: string, options: CheckOptions = {}): Promise<Checked> {
  const { suite } = await finderOf(options).find(from)
  const plan = await planRun({
    ...options,
    suite,
    models: { player: options.model ?? 'baseline/oracle' },
    limit: options.limit === undefined ? undefined : String(options.limit),
  })
  const { profile, planned } = plan.header
  return {
    suite: suite.name,
    title: suite.title,
    profile,
    profiles: suite.profiles,
    notes: plan.source.notes ?? [],
    ...(await checkSamples(plan, (done) => options.onProgress?.(done, planned))),
    estimate: await estimateRun(plan, await loadPrices()),
  }
}
