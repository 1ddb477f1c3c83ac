/** When a loop of actor and critic ends, which of its answers counts, and what the player is reminded of. */
import type { Message } from '../../../suite.ts'
import type { Task } from '../samples/sample.ts'
import type { Iteration, Stop } from '../domain/outcome.ts'
import type { Profile } from '../domain/profile.ts'
import type { LoopOptions } from '../options.ts'
import { PublishedDriver } from '../published/driver.ts'
import { cutoffRule, type EndRule, type Judged, PublishedLoop, UNCRITICISED } from '../published/loop.ts'
import { ADAPTIVE_DEFAULTS, tenth, Verifier, type VerifierConfig } from './verifier.ts'

export interface LoopRules {
  /** What an answer scores that runs while nobody critiques it. */
  readonly uncriticised: number
  /** Told of every answer; says why the loop ends, or null while it goes on. */
  after(record: Iteration, critique: { success?: boolean } | null): Stop | null
  /** The iteration that counts. */
  best(): number | null
  /** An answer that has to be improved on, in words. */
  remember(turn: () => Promise<Message[]>): Promise<void>
  /** What the next prompt holds after the task itself; null when the loop cannot ask again. */
  reminders(): readonly Message[] | null
}

export function rulesFor(profile: Profile, task: Task, options: LoopOptions): LoopRules {
  return profile === 'upstream' ? new PublishedRules(task, options) : new OwnRules(options)
}

function verifierFor(profile: Profile, options: LoopOptions): Verifier {
  const { decay, floor, interval, patience, iterations } = options
  const adaptive: VerifierConfig['adaptive'] = {
    ...ADAPTIVE_DEFAULTS[profile],
    ...(decay !== undefined && { threshold_decay: decay }),
    ...(floor !== undefined && { min_threshold: tenth(floor) }),
    ...(interval !== undefined && { adaptation_interval: interval }),
  }
  return new Verifier(profile, {
    ...thresholdsIn(options),
    ...(patience !== undefined && { patience }),
    max_iterations: iterations,
    adaptive: options.verifier === 'adaptive' ? adaptive : null,
  })
}

function thresholdsIn({ overallThreshold, positionThreshold, jointThreshold }: LoopOptions): Partial<VerifierConfig> {
  return {
    ...(overallThreshold !== undefined && { overall_threshold: tenth(overallThreshold) }),
    ...(positionThreshold !== undefined && { position_threshold: tenth(positionThreshold) }),
    ...(jointThreshold !== undefined && { joint_threshold: tenth(jointThreshold) }),
  }
}

/** The verifier decides, the best answer counts, and nothing that was said is forgotten. */
class OwnRules implements LoopRules {
  readonly uncriticised = 0
  readonly #verifier: Verifier
  readonly #said: Message[] = []
  #best: Iteration | null = null

  constructor(options: LoopOptions) {
    this.#verifier = verifierFor('fixed', options)
  }

  after(record: Iteration, critique: object | null): Stop | null {
    // Of equals the one that took the fewest iterations.
    if (!this.#best || record.feedback_score > this.#best.feedback_score) this.#best = record
    if (record.urdf !== null && !critique)
      return { code: 'no_critic', text: 'The function runs, and nobody criticises it' }
    // Verifiers count iterations from 1: the last one is then the last that is allowed.
    const goesOn = this.#verifier.shouldContinue([{ ...record, iteration: record.iteration + 1 }])
    return goesOn ? null : this.#verifier.stopReason()
  }

  best(): number | null {
    return this.#best?.iteration ?? null
  }

  async remember(turn: () => Promise<Message[]>): Promise<void> {
    this.#said.push(...(await turn()))
  }

  reminders(): readonly Message[] {
    return this.#said
  }
}

/**
 * The published loop: the latest run counts and is all that the next actor is given; after an error it is given nothing, and
 * the joint actor, which cannot do without the placement, is not asked again. It ends by its cut-off, for whole objects by
 * the rules of the fork's driver, or by a published verifier where one is asked for.
 */
class PublishedRules implements LoopRules {
  readonly uncriticised = UNCRITICISED
  readonly #task: Task
  readonly #loop: PublishedLoop<Judged & { said: Message[] }>
  #lastBuilt: number | null = null

  constructor(task: Task, options: LoopOptions) {
    this.#task = task
    this.#loop = new PublishedLoop(endRule(task, options))
  }

  after(record: Iteration, critique: { success?: boolean } | null): Stop | null {
    if (record.urdf === null) return this.#loop.after(null)
    this.#lastBuilt = record.iteration
    const { feedback_score, position_score, joint_score } = record
    return this.#loop.after({
      feedback_score,
      ...(position_score === undefined ? {} : { position_score }),
      ...(joint_score === undefined ? {} : { joint_score }),
      ...(critique?.success === undefined ? {} : { success: critique.success }),
      said: [],
    })
  }

  /** The driver keeps one folder: what was built last is in it, whatever happened since. */
  best(): number | null {
    return this.#task === 'build' ? this.#lastBuilt : (this.#loop.latest?.iteration ?? null)
  }

  async remember(turn: () => Promise<Message[]>): Promise<void> {
    const { latest } = this.#loop
    if (latest && 'said' in latest) latest.said = await turn()
  }

  reminders(): readonly Message[] | null {
    const { latest } = this.#loop
    if (!latest) return []
    if ('said' in latest) return latest.said
    return this.#task === 'joint' ? null : []
  }
}

function endRule(task: Task, options: LoopOptions): EndRule {
  const { iterations, verifier: kind } = options
  const isSet = options.patience !== undefined || Object.keys(thresholdsIn(options)).length > 0
  if (kind === 'auto' && !isSet) {
    if (task !== 'build') return cutoffRule(iterations)
    const driver = new PublishedDriver({ max_iter: iterations })
    // A program that does not run raises in the fork: its actor has failed.
    return (iteration, judged) => driver.after(iteration, judged ?? 'failed')
  }
  const verifier = verifierFor('upstream', options)
  // Counted from 0, as the published records are: one answer more than the limit is played.
  return (iteration, judged) =>
    verifier.shouldContinue([{ feedback_score: -1, ...judged, iteration }]) ? null : verifier.stopReason()
}
