/** Replies of baselines, in the format the prompt asks for. */
import { BASELINE_THOUGHT } from '../../../suite.ts'
import { type Move, moveThroughAll, NO_MOVE, toMatrix } from '../../../world.ts'
import { fovOf, PUBLISHED_CAMERA } from '../domain/camera.ts'
import { isNumberType } from '../domain/question-types.ts'
import type { BaselineInput } from '../play/baseline-input.ts'
import { poseText } from '../prompts.ts'
import type { VsiSample } from '../samples/sample.ts'

/** Numbers are bare in JSON, letters are quoted. */
function answerValue({ type }: VsiSample, answer: string): unknown {
  return isNumberType(type) ? Number(answer) : answer
}

export function answerReply(sample: VsiSample, answer: string, direct: boolean): string {
  return direct ? answer : JSON.stringify({ reasoning: BASELINE_THOUGHT, answer: answerValue(sample, answer) })
}

/** What a baseline does at a step. */
export type BaselineStep = { move: Move } | { answer: string }

/** As a move, or as the camera pose that the move leads to. */
export function stepReply(
  sample: VsiSample,
  step: BaselineStep,
  { form, pose, stage }: Extract<BaselineInput, { ask: 'step' }>,
): string {
  if (form === 'pose') {
    if ('answer' in step) return `[STATE]\n${BASELINE_THOUGHT}\n\n[FINAL_ANSWER]\n${step.answer}`
    const view = { matrix: toMatrix(moveThroughAll(pose, step.move, stage.bounds)), fov: BASELINE_FOV }
    return `[STATE]\n${BASELINE_THOUGHT}\n\n[ACTION]\n${poseText(view)}`
  }
  return 'answer' in step
    ? moveReply(NO_MOVE, answerValue(sample, step.answer), true)
    : moveReply(step.move, null, false)
}

const BASELINE_FOV = fovOf(PUBLISHED_CAMERA)

function moveReply(move: Move, answer: unknown, done: boolean): string {
  const step = {
    rotation_angle_degrees: move.turnDegrees,
    forward_meters: move.forwardMeters,
    left_meters: move.leftMeters,
    z_delta_meters: move.upMeters,
    answer,
    done,
  }
  return `\`\`\`json\n${JSON.stringify(step)}\n\`\`\``
}
