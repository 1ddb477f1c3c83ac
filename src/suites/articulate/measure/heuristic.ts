/** The published fork's critic without a model, as it scores where OpenCV is not installed: positions are half right. */
import { publishedScores, publishedUrdfShares } from '../published/urdf-scorer.ts'
import type { Critique } from './critique.ts'

/** What the fork assumes of positions that it cannot look at. */
const UNSEEN = 0.5
/** The weights of its driver. */
const WEIGHTS = { position: 0.5, joint: 0.5 }
/** Below it, its driver asks for something to be improved. */
const POOR = 5

export function heuristicCritique(urdf: string): Critique {
  const { total } = publishedUrdfShares(urdf)
  const { position_score, joint_score, overall_score } = publishedScores({ position: UNSEEN, joint: total }, WEIGHTS)
  return {
    feedback_score: overall_score,
    position_score,
    joint_score,
    feedback: [
      `Previous iteration scores - Position: ${position_score.toFixed(2)}, Joint: ${joint_score.toFixed(2)}.`,
      ...(joint_score < POOR ? ['Improve joint axis alignment and parameter accuracy.'] : []),
    ].join(' '),
  }
}
