/** Builders of events that more than one suite records. */
import type { VsiSample } from '../samples/sample.ts'
import type { CameraSettings } from '../domain/camera.ts'
import type { Stage } from '../domain/scene/stage.ts'
import type { Walkthrough } from '../domain/scene/walkthrough.ts'
import type { VsiEvent } from '../events.ts'
import type { AgentReply } from '../parse.ts'

export function questionEvent({ question, type, options, truth, things }: VsiSample): VsiEvent {
  return { type: 'vsi/question', question, questionType: type, options, truth, things }
}

export function stageEvent({ hash, bounds, cutAbove }: Stage, { width, height, focal }: CameraSettings): VsiEvent {
  return { type: 'vsi/stage', scene: hash, bounds, cutAbove, lens: { width, height, focal } }
}

export function walkthroughEvent({ frames, fps }: Walkthrough): VsiEvent {
  return { type: 'vsi/film', frames, fps }
}

export function readEvent({
  answer,
  repairs,
  move = null,
  done = false,
  problem = null,
}: Partial<AgentReply> & Pick<AgentReply, 'answer' | 'repairs'>): VsiEvent {
  return { type: 'vsi/read', answer, move, done, problem, repairs }
}
