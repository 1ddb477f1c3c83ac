/** The rules that the driver of the published fork really runs, in place of its verifiers. */
import type { Stop, StopCode } from '../domain/outcome.ts'
import { exhausted, type Judged } from './loop.ts'

export const DRIVER_DEFAULTS = {
  max_iter: 5,
  quality_threshold: 8.5,
  convergence_threshold: 0.1,
  min_iterations: 2,
  early_stop_no_improvement: 2,
}

export class PublishedDriver {
  /** Never the iteration that ended the loop: it is brought up to date after the tests. */
  readonly best = { iteration: -1, score: -1 }
  readonly #config: typeof DRIVER_DEFAULTS
  #misses = 0
  #previous: number | null = null

  constructor(config: Partial<typeof DRIVER_DEFAULTS> = {}) {
    this.#config = { ...DRIVER_DEFAULTS, ...config }
  }

  /** Why the loop ends after an iteration, counted from 0. An actor that fails is not a reason; a URDF that is not found is. */
  after(iteration: number, judged: Judged | 'failed' | 'no_urdf'): Stop | null {
    const { max_iter, min_iterations, early_stop_no_improvement: patience } = this.#config
    const isLast = iteration === max_iter - 1
    if (typeof judged === 'string') this.#misses += 1
    else {
      const { feedback_score: score } = judged
      const code = this.#judge(iteration, isLast, judged)
      if (code) return { code, text: `The driver stops: ${code.replaceAll('_', ' ')} (score ${score})` }
      this.#previous = score
      if (score > this.best.score) {
        Object.assign(this.best, { iteration, score })
        this.#misses = 0
      } else this.#misses += 1
    }
    if (judged !== 'failed' && this.#misses >= patience && iteration >= min_iterations)
      return {
        code: 'early_stop',
        text: `No improvement in ${this.#misses} iterations (best score ${this.best.score})`,
      }
    return isLast ? exhausted(max_iter) : null
  }

  #judge(iteration: number, isLast: boolean, { feedback_score: score, success }: Judged): StopCode | null {
    const { quality_threshold, convergence_threshold, min_iterations } = this.#config
    if (score >= quality_threshold) return 'quality'
    const isConverged = this.#previous !== null && Math.abs(score - this.#previous) <= convergence_threshold
    if (isConverged && iteration >= min_iterations) return 'converged'
    if (isLast) return 'max_iterations'
    return success === true ? 'critic_success' : null
  }
}
