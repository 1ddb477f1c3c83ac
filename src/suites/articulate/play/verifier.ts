/** When to stop refining: the two verifiers of the protocol, on a scale from 0 to 10. */
import { fixed, UserError } from '../../../suite.ts'
import type { Stop } from '../domain/outcome.ts'
import type { Profile } from '../domain/profile.ts'
import { comparable, type Printed, PythonError, pythonText } from '../published/python.ts'

/** One run of actor and critic, as far as a verifier reads it. */
export interface VerifierRecord {
  iteration?: unknown
  feedback_score?: unknown
  position_score?: unknown
  joint_score?: unknown
}

export interface VerifierConfig {
  position_threshold: Printed
  joint_threshold: Printed
  overall_threshold: Printed
  max_iterations: number
  patience: number
  /** Only for the adaptive verifier; null is the plain one. */
  adaptive: { threshold_decay: number; min_threshold: Printed; adaptation_interval: number } | null
  /** `fixed` only: what counts as an improvement. */
  minimum_gain: number
}

export interface VerifierState {
  best_score: number
  no_improvement_count: number
  overall_threshold: number
}

/** A number as Python prints a float. */
export const tenth = (value: number): Printed => ({ value, whole: false })

export const VERIFIER_DEFAULTS: VerifierConfig = {
  position_threshold: tenth(7),
  joint_threshold: tenth(8),
  overall_threshold: tenth(7.5),
  max_iterations: 10,
  patience: 3,
  adaptive: null,
  minimum_gain: 0,
}

/** The published floor, 0.5, belongs to a scale from 0 to 1; on 10 points it is 5 (docs/deviations.md). */
export const ADAPTIVE_DEFAULTS = {
  upstream: { threshold_decay: 0.95, min_threshold: tenth(0.5), adaptation_interval: 3 },
  fixed: { threshold_decay: 0.95, min_threshold: tenth(5), adaptation_interval: 3 },
} as const satisfies Record<Profile, NonNullable<VerifierConfig['adaptive']>>

/**
 * Says after every result whether to go on.
 *
 * @example
 * const verifier = new Verifier('fixed')
 * verifier.shouldContinue([{ iteration: 0, feedback_score: 8 }]) // false
 * verifier.stopReason()?.text // 'Reached overall threshold 7.5/10 (current: 8.0/10)'
 */
export class Verifier {
  readonly #profile: Profile
  readonly #config: VerifierConfig
  #overall: Printed
  #best = -1
  #misses = 0
  #reason: Stop | null = null
  #adaptedAt = -1

  constructor(profile: Profile, config: Partial<VerifierConfig> = {}) {
    this.#profile = profile
    this.#config = { ...VERIFIER_DEFAULTS, ...config }
    this.#overall = this.#config.overall_threshold
    if (profile === 'fixed') checkConfig(this.#config)
  }

  shouldContinue(results: readonly VerifierRecord[]): boolean {
    const last = results.at(-1)
    if (!last) return true
    // Once stopped, stopped: the published verifier can change its mind.
    if (this.#profile === 'fixed' && this.#reason) return false
    const iteration = last.iteration === undefined ? 0 : last.iteration
    this.#adapt(iteration)
    const reason = this.#judge(last, iteration)
    if (reason) this.#reason = reason
    return reason === null
  }

  stopReason(): Stop | null {
    return this.#reason
  }

  state(): VerifierState {
    return { best_score: this.#best, no_improvement_count: this.#misses, overall_threshold: this.#overall.value }
  }

  #adapt(iteration: unknown): void {
    const { adaptive } = this.#config
    if (!adaptive) return
    const at = comparable(iteration, '>', 'int')
    if (!(at > 0)) return
    const { adaptation_interval: interval, threshold_decay: decay, min_threshold: floor } = adaptive
    if (interval === 0) throw new PythonError('ZeroDivisionError', 'integer modulo by zero')
    if (at % interval !== 0) return
    if (this.#profile === 'fixed') {
      // Several seeds of one iteration lower the bar once, and a floor never raises it.
      if (at === this.#adaptedAt || floor.value >= this.#overall.value) return
      this.#adaptedAt = at
    }
    const lowered = this.#overall.value * decay
    const next = floor.value > lowered ? floor : { value: lowered, whole: false }
    // A threshold that stays the same is printed as before.
    if (next.value !== this.#overall.value) this.#overall = next
  }

  #judge(last: VerifierRecord, iteration: unknown): Stop | null {
    const { max_iterations: max, patience, position_threshold: pt, joint_threshold: jt, minimum_gain } = this.#config
    const given = last.feedback_score === undefined ? -1 : last.feedback_score
    const isLast = comparable(iteration, '>=', 'int') >= max
    const overall = this.#overall
    const isUpstream = this.#profile === 'upstream'
    const exhausted = (): Stop => ({ code: 'max_iterations', text: `Reached maximum iterations ${max}` })
    if (isLast && isUpstream) return exhausted()
    const score = comparable(given, '>=', overall.whole ? 'int' : 'float')
    if (score >= overall.value)
      return {
        code: 'overall_threshold',
        text: `Reached overall threshold ${pythonText(overall)}/10 (current: ${fixed(score, 1)}/10)`,
      }
    const components = this.#components(last, pt, jt)
    if (components) return components
    if (score > this.#best + minimum_gain) {
      this.#best = score
      this.#misses = 0
    } else this.#misses += 1
    // A success is reported as one, also when it comes in the last iteration.
    if (isLast) return exhausted()
    if (this.#misses >= patience)
      return {
        code: 'patience',
        text: `No improvement for ${patience} consecutive iterations (best: ${fixed(this.#best, 1)}/10)`,
      }
    return null
  }

  #components(last: VerifierRecord, pt: Printed, jt: Printed): Stop | null {
    const { position_score: p, joint_score: j } = last
    if (p === undefined || p === null || j === undefined || j === null) return null
    const position = comparable(p, '>=', pt.whole ? 'int' : 'float')
    if (!(position >= pt.value)) return null
    const joint = comparable(j, '>=', jt.whole ? 'int' : 'float')
    if (!(joint >= jt.value)) return null
    const text = `position: ${fixed(position, 1)}>=${pythonText(pt)}/10, joint: ${fixed(joint, 1)}>=${pythonText(jt)}/10`
    return { code: 'component_thresholds', text: `Position and joint both reached threshold (${text})` }
  }
}

function checkConfig({
  position_threshold,
  joint_threshold,
  overall_threshold,
  max_iterations,
  patience,
  adaptive,
}: VerifierConfig): void {
  const thresholds = { position_threshold, joint_threshold, overall_threshold }
  for (const [name, { value }] of Object.entries(thresholds))
    if (!(value >= 0 && value <= 10)) throw new UserError(`${name} is ${value}; scores run from 0 to 10.`)
  if (!(max_iterations >= 1)) throw new UserError(`max_iterations is ${max_iterations}; at least 1 is needed.`)
  if (!(patience >= 1)) throw new UserError(`patience is ${patience}; at least 1 is needed.`)
  if (!adaptive) return
  if (!(adaptive.adaptation_interval >= 1)) throw new UserError('adaptation_interval must be at least 1.')
  if (!(adaptive.threshold_decay > 0 && adaptive.threshold_decay <= 1))
    throw new UserError('threshold_decay must be above 0 and at most 1.')
  if (adaptive.min_threshold.value < 1 && overall_threshold.value > 1)
    throw new UserError(
      `min_threshold ${adaptive.min_threshold.value} looks like a share of 1, but scores run from 0 to 10.`,
      { hint: 'Use 5 for half of the scale.' },
    )
}
