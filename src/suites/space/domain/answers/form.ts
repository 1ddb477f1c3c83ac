/** What every form of answer can do. Six forms serve all tasks. */
import type { Random } from '../../../../suite.ts'
import type { Scene } from '../grid/scene.ts'
import type { Profile } from '../profile.ts'
import type { Answer, TaskScore } from './question.ts'

export interface Form<A extends Answer> {
  /** Scores the answer that was found in a reply. */
  score(answer: A, scene: Scene, text: string, profile: Profile): TaskScore
  /** What someone with a perfect map says. */
  perfect(answer: A, scene: Scene, profile: Profile): string
  /** An answer drawn uniformly from the space of answers. */
  random(answer: A, scene: Scene, random: Random): string
  /** Expected score of `random`. */
  chance(answer: A, scene: Scene, profile: Profile): number
  /** Expected score of `perfect`, where a perfect map leaves a doubt. */
  ceiling(answer: A, scene: Scene, profile: Profile): number
}
