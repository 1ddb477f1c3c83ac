/** An answer together with what can be done with it. Six forms serve all tasks. */
import type { Random } from '../../../../suite.ts'
import type { Profile } from '../profile.ts'
import type { TaskScore } from './question.ts'

export interface AnswerForm {
  /** Scores the answer that was found in a reply. */
  score(text: string, profile: Profile): TaskScore
  /** What someone with a perfect map says. */
  perfect(profile: Profile): string
  /** An answer drawn uniformly from the space of answers. */
  random(random: Random): string
  /** Expected score of `random`. */
  chance(profile: Profile): number
  /** Expected score of `perfect`, where a perfect map leaves a doubt. */
  ceiling(profile: Profile): number
}
