/** Turns user input into replies in the format the prompt asks for; the suite parses them like a model's. */
import { type Move, NO_MOVE } from '../../../../src/world/walk/move.ts'

export const vsi = {
  firstView: (degrees: number): string => JSON.stringify({ selected_angle: degrees, reasoning: 'chosen by a person' }),
  move: (move: Move): string => step(move, null),
  /** Ends the exploration. */
  answer: (answer: string): string => step(NO_MOVE, answer),
  /** For prompts that ask only for the answer. */
  answerOnly: (answer: string): string => JSON.stringify({ answer: asNumber(answer) }),
}

function step({ turnDegrees, forwardMeters, leftMeters, upMeters }: Move, answer: string | null): string {
  return JSON.stringify({
    rotation_angle_degrees: turnDegrees,
    forward_meters: forwardMeters,
    left_meters: leftMeters,
    z_delta_meters: upMeters,
    answer: answer === null ? null : asNumber(answer),
    done: answer !== null,
  })
}

/** `2.5` as a number, `B` as text. */
function asNumber(answer: string): string | number {
  const text = answer.trim()
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

export const space = {
  actions: (actions: readonly string[]): string => `FINAL ANSWER:\nActions: [${actions.join(', ')}]`,
  answer: (answer: string): string => `FINAL ANSWER:\n${answer}`,
}

/** A critic's verdict with the rating that the prompt gives it. */
export function critique(verdict: string): string {
  const reasons = ['joint_type', 'joint_axis', 'joint_origin', 'joint_limit']
  const rating = verdict === 'success' ? 10 : Math.max(0, reasons.indexOf(verdict))
  return JSON.stringify({ failure_reason: verdict, realism_rating: rating })
}

/** The URDF critic scores parts and every joint that moves; the prompt has their names. */
export function urdfCritique(verdict: string, prompt: string): string {
  const joints = [...prompt.matchAll(/<joint\b[^>]*>/g)].flatMap(([tag]) => {
    const [name, type] = [/\bname="([^"]+)"/.exec(tag)?.[1], /\btype="([^"]+)"/.exec(tag)?.[1]]
    return name !== undefined && type !== 'fixed' ? [name] : []
  })
  const score = (part: 'parts' | 'joints'): number => (verdict === part ? 0 : 10)
  return JSON.stringify({
    link_position_score: score('parts'),
    joint_score: score('joints'),
    joint_evaluation_details: joints.map((name) => ({
      joint_name: name,
      type_score: score('joints'),
      position_score: score('joints'),
    })),
    success: verdict === 'success',
  })
}

export interface PointedAt {
  kind: 'target_object' | 'spatial_affordance'
  description: string
  /** In thousandths of the last frame, from the top left. */
  point: readonly [number, number]
  /** Milliseconds; `null` when not mentioned in speech. */
  time: readonly [number, number] | null
}

/** Uses the point format of `-T coords=xy1000`. */
export function vsigReply(command: string, points: readonly PointedAt[]): string {
  return JSON.stringify({
    explicit_command: command,
    point_list: points.map(({ kind, description, point, time }) => ({
      type: kind,
      description,
      point,
      timestamp: time,
    })),
    reasoning: 'answered by a person',
  })
}
