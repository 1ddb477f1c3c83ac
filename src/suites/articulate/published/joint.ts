/** Differences between a true and a predicted joint as the published evaluation computes them, faults included. */
import { cross, dot, lengthOf, type Quaternion, scaled, subtract, unit, type Vec3 } from '../../../world.ts'
import { type JointReason, type MeasuredJoint, RATINGS } from '../domain/states.ts'

export interface PublishedJointDiff {
  joint_type: boolean
  joint_origin: { xyz: number; orientation: number }
  joint_axis: number
  joint_limit: { direction_diff: number; range_diff: number }
}

/** Cut-offs of the published evaluation; 1.6057 rad are 92 degrees. */
const CUTOFFS = { axis: 0.25, origin: 0.05, direction: 1, range: 1.6057 }

/** What numpy's `allclose` adds to its relative tolerance of 1e-5. */
const CLOSE = 1e-8
const CLOSE_RELATIVE = 1e-5

/** Never throws; what cannot be computed is not a number. */
export function publishedJointDiff(truth: MeasuredJoint, predicted: MeasuredJoint): PublishedJointDiff {
  return {
    joint_type: truth.type === predicted.type,
    joint_origin: {
      xyz:
        truth.type === 'revolute' ? lineDistance(truth, predicted) : lengthOf(subtract(truth.origin, predicted.origin)),
      orientation: quaternionAngle(truth.orientation, predicted.orientation),
    },
    joint_axis: axisAngle(truth.axis, predicted.axis),
    joint_limit: limitDiff(truth, predicted),
  }
}

/** 2·acos|q·q|, unclipped: rounding above 1 gives not-a-number. */
export function quaternionAngle(a: Quaternion, b: Quaternion): number {
  return 2 * Math.acos(Math.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]))
}

function axisAngle(a: Vec3, b: Vec3): number {
  const cosine = dot(a, b) / (lengthOf(a) * lengthOf(b))
  if (Number.isNaN(cosine)) return Number.NaN
  const clipped = Math.min(1, Math.max(-1, cosine))
  return Math.min(Math.acos(clipped), Math.acos(-clipped))
}

/** For parallel axes only one of the two directions across them is measured. */
function lineDistance(truth: MeasuredJoint, predicted: MeasuredJoint): number {
  let w = cross(predicted.axis, truth.axis)
  if (w.every((value) => Math.abs(value) <= CLOSE)) {
    const isX = predicted.axis.every((value, i) => {
      const other = i === 0 ? 1 : 0
      return Math.abs(value - other) <= CLOSE + CLOSE_RELATIVE * other
    })
    w = isX ? cross(truth.axis, [0, 1, 0]) : cross(predicted.axis, [1, 0, 0])
  }
  return Math.abs(dot(subtract(truth.origin, predicted.origin), w)) / lengthOf(w)
}

function limitDiff(truth: MeasuredJoint, predicted: MeasuredJoint): PublishedJointDiff['joint_limit'] {
  const straight = motionDiff(truth, predicted)
  const flipped = motionDiff(truth, {
    ...predicted,
    axis: scaled(predicted.axis, -1),
    lower: -predicted.upper,
    upper: -predicted.lower,
  })
  return straight.direction_diff < flipped.direction_diff ? straight : flipped
}

function motionDiff(truth: MeasuredJoint, predicted: MeasuredJoint): PublishedJointDiff['joint_limit'] {
  const a = scaled(truth.axis, truth.upper - truth.lower)
  const b = scaled(predicted.axis, predicted.upper - predicted.lower)
  return {
    direction_diff: 1 - dot(directionOf(a, truth.axis), directionOf(b, predicted.axis)),
    range_diff: lengthOf(subtract(b, a)),
  }
}

/** Without motion the axis as it is written, of whatever length: none at all is at right angles to everything. */
function directionOf(motion: Vec3, axis: Vec3): Vec3 {
  return lengthOf(motion) === 0 ? axis : unit(motion)
}

export interface PublishedVerdict {
  failure_reason: JointReason
  /** (10 − rating) / 10; 0 is success. */
  score: number
}

/** The first failure wins. Comparisons with not-a-number are false, so that it passes. */
export function publishedJointVerdict(diff: PublishedJointDiff): PublishedVerdict {
  const { axis, origin, direction, range } = CUTOFFS
  if (!diff.joint_type) return failed('joint_type')
  if (diff.joint_axis > axis) return failed('joint_axis')
  if ((diff.joint_origin.xyz + diff.joint_origin.orientation) / 2 > origin) return failed('joint_origin')
  if (diff.joint_limit.direction_diff > direction || diff.joint_limit.range_diff > range) return failed('joint_limit')
  return { failure_reason: 'success', score: 0 }
}

function failed(failure_reason: Exclude<JointReason, 'success'>): PublishedVerdict {
  return { failure_reason, score: (10 - RATINGS[failure_reason]) / 10 }
}

/** Origin and limit of drawers and buttons are forgiven. */
export function forgivePrismatic(verdict: PublishedVerdict, trueType: string): PublishedVerdict {
  const isForgiven = verdict.failure_reason === 'joint_origin' || verdict.failure_reason === 'joint_limit'
  return trueType === 'prismatic' && isForgiven ? { failure_reason: 'success', score: 0 } : verdict
}
