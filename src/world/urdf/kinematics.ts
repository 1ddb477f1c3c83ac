/** Where the links are when the joints stand where they stand. Visual origins never enter the chain. */
import {
  aboutAxis,
  compose,
  type Frame,
  frameOf,
  IDENTITY,
  originOf,
  type Quaternion,
  quaternionOf,
  turned,
} from '../frames.ts'
import { cross, scaled, unit, type Vec3 } from '../vector.ts'
import type { Joint, JointType, Limit, Pose, Robot } from './model.ts'
import { rootOf, walkOrder } from './tree.ts'

/**
 * By joint: an angle or a distance; for planar joints two distances and an angle; for floating ones x, y, z, roll, pitch,
 * yaw. What is left out stands at 0.
 */
export type JointPositions = Readonly<Record<string, number | readonly number[]>>

export function poseFrame({ xyz, rpy }: Pose): Frame {
  return frameOf(xyz, rpy)
}

/** The frame of every link in the world, the root's frame being `root`. */
export function linkFrames(robot: Robot, positions: JointPositions = {}, root: Frame = IDENTITY): Map<string, Frame> {
  const frames = new Map<string, Frame>()
  const first = rootOf(robot)
  if (first !== undefined) frames.set(first, root)
  const byName = new Map(robot.joints.map((joint) => [joint.name, joint]))
  for (const joint of walkOrder(robot)) {
    const parent = frames.get(joint.parent)!
    const motion = motionOf(joint, positionOf(joint, byName, positions))
    frames.set(joint.child, compose(compose(parent, poseFrame(joint.origin)), motion))
  }
  return frames
}

/** Where a joint stands, those that mimic another included. */
export function positionOf(
  joint: Joint,
  byName: ReadonlyMap<string, Joint>,
  positions: JointPositions,
): number | readonly number[] {
  let multiplier = 1
  let offset = 0
  let at = joint
  while (at.mimic) {
    offset += multiplier * at.mimic.offset
    multiplier *= at.mimic.multiplier
    const next = byName.get(at.mimic.joint)
    if (!next) break
    at = next
  }
  const own = Object.hasOwn(positions, at.name) ? positions[at.name]! : 0
  return typeof own === 'number' ? multiplier * own + offset : own
}

/** The motion of a joint away from 0, in the joint's frame. */
export function motionOf({ type, axis }: Pick<Joint, 'type' | 'axis'>, q: number | readonly number[]): Frame {
  const one = typeof q === 'number' ? q : (q[0] ?? 0)
  switch (type) {
    case 'revolute':
    case 'continuous':
      return aboutAxis(axis, one)
    case 'prismatic':
      return frameOf(scaled(axis, one))
    case 'planar': {
      const [u = 0, v = 0, angle = 0] = typeof q === 'number' ? [q] : q
      const [a, b] = planeOf(axis)
      const shift: Vec3 = [a[0] * u + b[0] * v, a[1] * u + b[1] * v, a[2] * u + b[2] * v]
      return compose(frameOf(shift), aboutAxis(axis, angle))
    }
    case 'floating': {
      const [x = 0, y = 0, z = 0, roll = 0, pitch = 0, yaw = 0] = typeof q === 'number' ? [q] : q
      return frameOf([x, y, z], [roll, pitch, yaw])
    }
    case 'fixed':
      return IDENTITY
  }
}

/** Two directions that span the plane across an axis. */
function planeOf(axis: Vec3): [Vec3, Vec3] {
  const away: Vec3 = Math.abs(axis[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]
  const first = unit(cross(axis, away))
  return [first, cross(axis, first)]
}

/** A joint as one sees it in the world, all joints at 0. */
export interface JointState {
  name: string
  type: JointType
  parent: string
  child: string
  origin: Vec3
  orientation: Quaternion
  axis: Vec3
  limit: Limit
}

export function jointStates(robot: Robot, root: Frame = IDENTITY): JointState[] {
  const frames = linkFrames(robot, {}, root)
  return robot.joints.flatMap((joint): JointState[] => {
    const parent = frames.get(joint.parent)
    if (!parent) return []
    const frame = compose(parent, poseFrame(joint.origin))
    return [
      {
        name: joint.name,
        type: joint.type,
        parent: joint.parent,
        child: joint.child,
        origin: originOf(frame),
        orientation: quaternionOf(frame),
        axis: turned(frame, joint.axis),
        limit: joint.limit ?? { lower: 0, upper: 0 },
      },
    ]
  })
}
