/** A built robot against the true one: where parts are, and how they move. */
import { type JointState, jointStates, quaternionOf, type Robot } from '../../../world.ts'
import { type Box, centerOf, diagonalOf } from '../domain/assembly/box.ts'
import { type JointDiff, jointDiff, type JointVerdict, jointVerdict, movesTheRightWay } from './joint.ts'
import type { Finding, LinkState, LinkStates, MeasuredJoint } from '../domain/states.ts'
import { forgivePrismatic, publishedJointDiff, publishedJointVerdict } from '../published/joint.ts'
import { isPublishedSuccess, publishedLinkDiff, reducePublished } from '../published/link.ts'
import { type LinkDiff, linkDiff } from './link.ts'
import { type ObjectShape, trueRobot } from '../domain/objects/model.ts'
import { partBoxes, partFrames, partOfLink, wholeBox } from '../domain/objects/pose.ts'
import type { Profile } from '../domain/profile.ts'

export interface JointResult {
  child: string
  trueType: string
  finding: Finding
  success: boolean
  /** M, MA and MAO of the field. */
  type: boolean
  axis: boolean
  position: boolean
  /** Moves the right way. Of our own measures, which are the same under every profile, as `diff`. */
  direction: boolean
  diff: JointDiff | null
}

export interface Evaluation {
  links: LinkDiff
  placed: boolean
  joints: JointResult[]
  /** Joints that move although nothing should move there. */
  extraJoints: number
}

export function evaluate(object: ObjectShape, predicted: Robot, profile: Profile): Evaluation {
  const truth = trueRobot(object)
  const [trueLinks, predictedLinks] = [linkStates(object, truth), linkStates(object, predicted)]
  const links = linkDiff(trueLinks, predictedLinks, object.parts[0]?.name)
  const placed =
    profile === 'upstream'
      ? isPublishedSuccess(reducePublished(publishedLinkDiff(trueLinks, predictedLinks)))
      : links.success
  const trueBoxes = partBoxes(object, partFrames(truth))
  const diagonal = object.diagonal ?? diagonalOf(wholeBox(object, partFrames(truth)))
  const found = new Map(movingJoints(predicted).map((joint) => [partOfLink(predicted, joint.child), joint]))
  const joints = movingJoints(truth).map((joint): JointResult => {
    const child = partOfLink(truth, joint.child)
    const other = found.get(child)
    found.delete(child)
    const thing = { part: trueBoxes.get(child) ?? null, diagonal }
    if (profile === 'upstream') return publishedResult(child, joint, other, thing)
    return result(child, joint, other, { ...thing, parent: other ? partOfLink(predicted, other.parent) : '' })
  })
  return { links, placed, joints, extraJoints: found.size }
}

export function movingJoints(robot: Robot): JointState[] {
  return jointStates(robot).filter(({ type }) => type === 'revolute' || type === 'prismatic' || type === 'continuous')
}

export function linkStates(object: ObjectShape, robot: Robot): LinkStates {
  const frames = partFrames(robot)
  return Object.fromEntries(
    [...partBoxes(object, frames)].map(([name, box]): [string, LinkState] => [
      name,
      { center: centerOf(box), orientation: quaternionOf(frames.get(name)!) },
    ]),
  )
}

function measured({ type, origin, orientation, axis, limit }: JointState): MeasuredJoint {
  return { type, origin, orientation, axis, lower: limit.lower, upper: limit.upper }
}

/** A joint as metrics see it, with its limits in order. */
export function measuredInOrder(joint: JointState): MeasuredJoint {
  return inOrder(measured(joint))
}

/** Limits written the wrong way round mean the same range. */
function inOrder(joint: MeasuredJoint): MeasuredJoint {
  const { lower, upper } = joint
  return lower > upper ? { ...joint, lower: upper, upper: lower } : joint
}

const MISSING = { success: false, type: false, axis: false, position: false, direction: false, diff: null } as const

/** Its size gives the measures their scale. */
interface MovingThing {
  part: Box | null
  diagonal: number
}

function result(
  child: string,
  joint: JointState,
  other: JointState | undefined,
  { part, diagonal, parent }: MovingThing & { parent: string },
): JointResult {
  if (!other) return { child, trueType: joint.type, finding: 'missing_joint', ...MISSING }
  const [a, b] = [measuredInOrder(joint), measuredInOrder(other)]
  const diff = jointDiff(a, b, { part, diagonal })
  const verdict: JointVerdict = jointVerdict(a, b, diff, part)
  const finding = verdict.reason === 'success' && parent !== joint.parent ? 'wrong_parent' : verdict.reason
  const { type, axis, position } = verdict
  const direction = movesTheRightWay(a, diff)
  return { child, trueType: joint.type, finding, success: finding === 'success', type, axis, position, direction, diff }
}

function publishedResult(
  child: string,
  joint: JointState,
  other: JointState | undefined,
  thing: MovingThing,
): JointResult {
  if (!other) return { child, trueType: joint.type, finding: 'missing_joint', ...MISSING }
  const published = publishedJointDiff(measured(joint), measured(other))
  const { failure_reason } = forgivePrismatic(publishedJointVerdict(published), joint.type)
  const truth = measuredInOrder(joint)
  const diff = jointDiff(truth, measuredInOrder(other), thing)
  const order = ['joint_type', 'joint_axis', 'joint_origin', 'joint_limit', 'success']
  const passed = order.indexOf(failure_reason)
  return {
    child,
    trueType: joint.type,
    finding: failure_reason,
    success: failure_reason === 'success',
    type: passed > 0,
    axis: passed > 1,
    position: passed > 2,
    direction: movesTheRightWay(truth, diff),
    diff,
  }
}
