/** A critic that needs no model: it knows the truth and measures. */
import type { Robot } from '../../../world.ts'
import { evaluate, type JointResult } from './evaluate.ts'
import { type Finding, RATINGS, reasonOf } from '../domain/states.ts'
import type { ObjectShape } from '../domain/objects/model.ts'

export interface Critique {
  feedback_score: number
  position_score?: number
  joint_score?: number
  feedback: string
  /** What a critic that is a model said, as it was read. */
  verdict?: unknown
  /** The critic's own word for it, where it has one. */
  success?: boolean
  /** Why the reply of a published critic ends the run of actor and critic as a failure. */
  problem?: string
}

const WORDS: Readonly<Record<Finding, string>> = {
  success: 'it is right',
  joint_type: 'the type of the joint is wrong',
  joint_axis: 'the axis of the joint is wrong',
  joint_origin: 'the joint is in the wrong place',
  joint_limit: 'the joint moves the wrong way or not as far as it should',
  missing_joint: 'it has no joint',
  wrong_parent: 'it hangs on the wrong part',
}

export function placementCritique(model: ObjectShape, robot: Robot): Critique {
  const { links } = evaluate(model, robot, 'fixed')
  const wrong = Object.entries(links.position).filter(([, distance]) => distance === null || distance > 0.05)
  return {
    feedback_score: links.success ? 10 : Math.min(4, links.placed * 5),
    feedback: links.success
      ? 'Every part is where it belongs.'
      : wrong
          .map(([name, d]) =>
            d === null ? `${name} is missing.` : `${name} is ${(d * 100).toFixed(1)} cm away from its place.`,
          )
          .join(' '),
  }
}

export function jointCritique(model: ObjectShape, robot: Robot, target: string): Critique & { finding: Finding } {
  const found = evaluate(model, robot, 'fixed').joints.find(({ child }) => child === target)
  const finding = found?.finding ?? 'missing_joint'
  return { feedback_score: RATINGS[reasonOf(finding)], feedback: `${target}: ${WORDS[finding]}.`, finding }
}

export function buildCritique(model: ObjectShape, robot: Robot): Critique {
  const { links, joints } = evaluate(model, robot, 'fixed')
  const position = 10 * links.placed
  const joint = joints.length === 0 ? 10 : (10 * joints.filter(({ success }) => success).length) / joints.length
  const wrong = joints.filter(({ success }: JointResult) => !success)
  return {
    feedback_score: (position + joint) / 2,
    position_score: position,
    joint_score: joint,
    feedback: [
      placementCritique(model, robot).feedback,
      ...wrong.map(({ child, finding }) => `${child}: ${WORDS[finding]}.`),
    ].join(' '),
  }
}
