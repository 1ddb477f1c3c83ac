/** What an episode leaves for those who look at it later, beside its pictures and its path. */
import type { EpisodeEvent } from '../../engine/suite.ts'
import { VIEW } from './domain/pose.ts'
import type { VsiSample } from './cases/sample.ts'
import type { AgentReply } from './parse.ts'
import type { Stage } from './domain/scene/stage.ts'
import type { Walkthrough } from './domain/scene/walkthrough.ts'

/** The question with its truth and, where they are known, the things that it speaks of. */
export function questionEvent({ question, type, options, truth, things }: VsiSample): EpisodeEvent {
  return { type: 'vsi/question', question, questionType: type, options, truth, things }
}

/** The room's extent, where it is cut open to look into it, and the lens of the agent's eye. */
export function stageEvent({ hash, bounds, cutAbove }: Stage): EpisodeEvent {
  const { width, height, focal } = VIEW
  return { type: 'vsi/stage', scene: hash, bounds, cutAbove, lens: { width, height, focal } }
}

/** How long the walkthrough is that frames are taken from. */
export function filmEvent({ frames, fps }: Walkthrough): EpisodeEvent {
  return { type: 'vsi/film', frames, fps }
}

/** What was understood of a reply: the move or the answer in it, what had to be repaired, and why it cannot be used. */
export function readingEvent({
  answer,
  repairs,
  move = null,
  done = false,
  problem = null,
}: Partial<AgentReply> & Pick<AgentReply, 'answer' | 'repairs'>): EpisodeEvent {
  return { type: 'vsi/read', answer, move, done, problem, repairs }
}
