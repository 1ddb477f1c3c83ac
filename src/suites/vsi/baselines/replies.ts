/** Replies of baselines, in the format the prompt asks for. */
import type { Move } from '../../../world.ts'
import { isNumberType } from '../domain/question-types.ts'
import type { VsiSample } from '../samples/sample.ts'

/** Numbers are bare in JSON, letters are quoted. */
function answerValue({ type }: VsiSample, answer: string): unknown {
  return isNumberType(type) ? Number(answer) : answer
}

export function answerReply(sample: VsiSample, answer: string, direct: boolean): string {
  return direct ? answer : JSON.stringify({ reasoning: 'baseline', answer: answerValue(sample, answer) })
}

export function stepReply(move: Move, answer: unknown = null, done = false): string {
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

export function doneReply(sample: VsiSample, answer: string): string {
  return stepReply({ turnDegrees: 0, forwardMeters: 0, leftMeters: 0, upMeters: 0 }, answerValue(sample, answer), true)
}
