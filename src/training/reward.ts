/** What an episode is worth to a learner. */
import type { AnySuite } from '../engine/suite.ts'
import { successMetric } from '../report/passes.ts'
import { Table } from '../report/table.ts'
import type { EpisodeLine, RunHeader } from '../store/records.ts'
import type { Reward } from './rewards.ts'

/** Tolerance for a score of 1 with rounding errors. */
export const ROUNDING = 1e-9
const NO_ANSWER = -1

export function rewardOf(
  suite: AnySuite,
  line: Omit<EpisodeLine, 'events'>,
  rules: Pick<RunHeader, 'profile' | 'options'>,
  kind: Reward = 'score',
): number {
  const metric = successMetric(suite.summary(new Table([line], suite.metrics), rules), suite.metrics)
  const score = suite.reward?.(line.scores) ?? (metric === null ? 0 : (line.scores[metric] ?? 0))
  if (kind === 'score') return score
  if (kind === 'signed') return score >= 1 - ROUNDING ? 1 : -1
  return line.status === 'answered' ? 1.5 * score - 0.5 : NO_ANSWER
}
