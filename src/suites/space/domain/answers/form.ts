/** The operations on an answer. Six forms cover all tasks. */
import type { Random } from '../../../../suite.ts'
import type { Profile } from '../profile.ts'
import type { TaskScore } from './question.ts'

export interface AnswerForm {
  /** Scores the answer extracted from a reply. */
  score(text: string, profile: Profile): TaskScore
  /** The ground truth. */
  truth(): string
  /** The answer of a player with a perfect map: the ground truth, or the best guess if the question leaves it open. */
  perfect(profile: Profile): string
  /** An answer drawn uniformly from those that the words of the question leave open. */
  random(random: Random, profile: Profile): string
  /** Expected score of `random`. */
  chance(profile: Profile): number
  /** Expected score of `perfect`; below 1 if even a perfect map leaves the answer ambiguous. */
  ceiling(profile: Profile): number
}
