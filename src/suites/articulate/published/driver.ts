/** The rules that the published driver really runs, in place of its verifiers. */

export interface DriverConfig {
  max_iter: number
  quality_threshold: number
  convergence_threshold: number
  min_iterations: number
  early_stop_no_improvement: number
}

export const DRIVER_DEFAULTS: DriverConfig = {
  max_iter: 5,
  quality_threshold: 8.5,
  convergence_threshold: 0.1,
  min_iterations: 2,
  early_stop_no_improvement: 2,
}

export type DriverStop = 'quality' | 'converged' | 'max_iterations' | 'critic_success' | 'early_stop'

export interface DriverResult {
  stopped_at_iteration: number | null
  reason: DriverStop | null
  /** Never the iteration that ended the loop: best is brought up to date after the tests. */
  best_iteration_recorded: number
  best_score_recorded: number
}

/** One iteration: its score and the critic's flag, or null when actor or URDF failed. */
export type DriverStep = { score: number; success: boolean } | null

export function publishedDriver(
  steps: (iteration: number) => DriverStep,
  given: Partial<DriverConfig> = {},
): DriverResult {
  const config = { ...DRIVER_DEFAULTS, ...given }
  let best = -1
  let bestIteration = -1
  let misses = 0
  let previous: number | null = null
  for (let iteration = 0; iteration < config.max_iter; iteration++) {
    const step = steps(iteration)
    if (step === null) {
      misses += 1
      continue
    }
    const { score, success } = step
    const stop = ((): DriverStop | null => {
      if (score >= config.quality_threshold) return 'quality'
      if (
        previous !== null &&
        Math.abs(score - previous) <= config.convergence_threshold &&
        iteration >= config.min_iterations
      )
        return 'converged'
      if (iteration === config.max_iter - 1) return 'max_iterations'
      return success ? 'critic_success' : null
    })()
    if (stop) return { stopped_at_iteration: iteration, reason: stop, ...recorded() }
    previous = score
    if (score > best) {
      best = score
      bestIteration = iteration
      misses = 0
    } else misses += 1
    if (misses >= config.early_stop_no_improvement && iteration >= config.min_iterations)
      return { stopped_at_iteration: iteration, reason: 'early_stop', ...recorded() }
  }
  return { stopped_at_iteration: null, reason: null, ...recorded() }

  function recorded(): Pick<DriverResult, 'best_iteration_recorded' | 'best_score_recorded'> {
    return { best_iteration_recorded: bestIteration, best_score_recorded: best }
  }
}
