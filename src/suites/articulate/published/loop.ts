/** The published loop of actor and critic. */
import type { Stop } from '../domain/outcome.ts'

/** What actor and critic gave in one run. */
export interface Judged {
  feedback_score: number
  position_score?: number
  joint_score?: number
  /** The critic's own word. */
  success?: boolean
}

type Run<Fields> = (Fields | Judged) & { iteration: number; seed: number }

/** Why the loop ends after an iteration, counted from 0; null to go on. Nothing was judged when actor or critic failed. */
export type EndRule = (iteration: number, judged: Judged | null) => Stop | null

/** The published loop accepts what scores more. */
export const CUTOFF = 5
/** What the published loop gives where there is no critic. */
export const UNCRITICISED = 10

/** The rule of the published loop; its verifiers and its fork's driver have others. */
export function cutoffRule(iterations: number, cutoff = CUTOFF): EndRule {
  return (iteration, judged) => {
    if (judged && judged.feedback_score > cutoff)
      return { code: 'accepted', text: `The critic gave ${judged.feedback_score}, more than ${cutoff}` }
    return iteration + 1 < iterations ? null : exhausted(iterations)
  }
}

export function exhausted(iterations: number): Stop {
  return { code: 'exhausted', text: `Reached maximum iterations ${iterations}` }
}

export class PublishedLoop<Fields extends Judged> {
  /**
   * The latest run: the loop returns it, better or worse than those before, and the next actor is given it to improve.
   * After an error nothing is left in it but numbers.
   */
  latest: Run<Fields> | null = null
  readonly #ends: EndRule
  #iteration = 0

  constructor(ends: EndRule) {
    this.#ends = ends
  }

  after(fields: Fields | null): Stop | null {
    const iteration = this.#iteration++
    this.latest = fields ? { ...fields, iteration, seed: 0 } : { iteration, seed: 0, feedback_score: -1 }
    return this.#ends(iteration, fields)
  }
}
